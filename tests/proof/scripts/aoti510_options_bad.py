import torch

torch.compile(torch.sin, options={"cudagraphs": True})  # <- AOTI510
