import torch
from torch import export

program = export(torch.nn.Linear(8, 2).eval(), (torch.randn(4, 8),))  # <- AOTI219
