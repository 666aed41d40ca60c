import torch

torch.compile(torch.sin, dynamic="auto")  # <- AOTI512
