import torch

rows = torch.export.Dim("batch size")  # <- AOTI310
