import torch

library = torch.library.Library("proof", "DEF")
library.define("turn_(Tensor(a!) x) -> ()")
library.impl("turn_", lambda x: x.neg_(), "CUDA")
torch.ops.proof.turn_(torch.ones(2))  # <- AOTI419
