import torch

rows = torch.export.Dim("rows", min=4, max=4)  # <- AOTI309
