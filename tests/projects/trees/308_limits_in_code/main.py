import torch
from torch import nn
from torch.export import Dim, export

from guardrail import Capped, Checked

inner = nn.Linear(6, 2).eval()
rows = Dim("rows", min=2, max=1000)
print(export(Checked(inner, 6), (torch.randn(4, 6),), dynamic_shapes=({0: rows},)).module()(torch.randn(90, 6)).shape)
small = Dim("rows", min=2, max=64)
print(export(Capped(inner, max_rows=64), (torch.randn(4, 6),), dynamic_shapes=({0: small},)).module()(torch.randn(60, 6)).shape)
program = export(Capped(inner, max_rows=64), (torch.randn(4, 6),), dynamic_shapes=({0: rows},))
print(program.module()(torch.randn(90, 6)).shape)
