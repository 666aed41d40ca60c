import torch

layer = torch.nn.Linear(4, 4, bias=False)
layer.weight = torch.nn.Parameter(torch.eye(4))


@torch.compile(backend="eager", fullgraph=True)
def step(x):
    return layer(x) * 1


step(torch.ones(2, 4, requires_grad=True))
layer.register_full_backward_pre_hook(lambda module, gradients: tuple(one * 2 for one in gradients))
x = torch.ones(2, 4, requires_grad=True)
step(x).sum().backward()
print("ignored", float(x.grad.sum()))
