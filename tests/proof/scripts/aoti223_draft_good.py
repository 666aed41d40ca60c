import torch

net = torch.nn.Linear(4, 2)
program = torch.export.draft_export(net, (torch.ones(3, 4),))
print("report", type(program._report).__name__)
