import torch

torch.library.Library("proof", "DEF").define("twice(Tensor x) -> Tensor")  # <- AOTI416 AOTI401
print(torch.ops.proof.twice(torch.ones(2)))
