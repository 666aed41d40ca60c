import torch


def count(gm, example_inputs):
    print(len(gm.graph.nodes))


run = torch.compile(torch.nn.Linear(2, 2), backend=count)  # <- AOTI512
run(torch.ones(1, 2))
