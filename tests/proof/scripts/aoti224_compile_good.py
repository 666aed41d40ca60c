import torch

net = torch.nn.Linear(4, 2)
seen = []


def backend(graph, inputs):
    seen.append(graph)
    return graph


net = torch.compile(net, backend=backend)
net(torch.randn(3, 4))
print("compiled", len(seen))
