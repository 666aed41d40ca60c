import torch

rows = torch.export.Dim("batch_size")
