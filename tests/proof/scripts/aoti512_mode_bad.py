import torch

torch.compile(torch.sin, mode="max_autotune")  # <- AOTI512
