import torch
from torch.export import export

program = export(torch.nn.Linear(8, 2).eval(), (torch.randn(4, 8),))
print("shape", tuple(program.module()(torch.randn(4, 8)).shape))
