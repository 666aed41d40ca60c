import torch

rows = torch.export.Dim("rows", min=64, max=2)  # <- AOTI309
