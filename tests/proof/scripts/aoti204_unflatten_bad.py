import torch

program = torch.export.export(torch.nn.Sequential(torch.nn.Linear(4, 4)), (torch.randn(1, 4),))
torch.export.unflatten(program.module())  # <- AOTI204
