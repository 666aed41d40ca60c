import torch
from torch.export import Dim

x = torch.randn(4, 8)
program = torch.export.export(torch.nn.ReLU(), (x,), dynamic_shapes=({0: Dim("batch")},))
print("shape", tuple(program.module()(torch.randn(6, 8)).shape))
