import torch

torch.compile(torch.sin, options={"max_autotune": 1})  # <- AOTI511
