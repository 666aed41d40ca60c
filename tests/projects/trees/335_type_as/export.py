import torch

from layers import Sampler

device = "cuda" if torch.cuda.is_available() else "cpu"
sampler = Sampler().to(device).eval()
rows = torch.export.Dim("rows", min=2, max=99)
print(torch.export.export(sampler, (torch.randn(4, 6).to(device),), dynamic_shapes=({0: rows},)))
mask = sampler.grid.new_ones(4)
print(torch.export.export(sampler, (torch.randn(4, 6, device=mask.device), mask)))
