import torch

first = torch.library.Library("proof", "DEF")
first.define("turn_(Tensor(a!) x) -> ()")
second = torch.library.Library("proof", "DEF")  # <- AOTI417
second.define("invert_(Tensor(a!) x) -> ()")
