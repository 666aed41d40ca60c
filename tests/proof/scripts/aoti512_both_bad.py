import torch

torch.compile(torch.sin, mode="max-autotune", options={"triton.cudagraphs": False})  # <- AOTI512
