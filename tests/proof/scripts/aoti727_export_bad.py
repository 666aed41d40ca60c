import torch

model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.LazyLinear(3)).eval()
torch.export.export(model, (torch.randn(1, 2, 4),))  # <- AOTI727
