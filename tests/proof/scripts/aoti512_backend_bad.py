import torch

torch.compile(torch.sin, backend="inductr")  # <- AOTI512
