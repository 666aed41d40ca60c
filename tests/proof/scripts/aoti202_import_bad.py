import torch
from torch.export import dynamic_dim  # <- AOTI202

x = torch.randn(4, 8)
print(torch.export.export(torch.nn.ReLU(), (x,), constraints=[dynamic_dim(x, 0)]))
