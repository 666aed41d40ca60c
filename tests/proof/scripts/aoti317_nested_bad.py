"""An example input is a nested tensor in the layout that is the default."""

import torch

x = torch.nested.nested_tensor([torch.randn(2, 8), torch.randn(3, 8)])
torch.export.export(torch.nn.Linear(8, 4), (x,))  # <- AOTI317
