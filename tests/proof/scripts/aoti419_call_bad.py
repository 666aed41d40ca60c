import torch

library = torch.library.Library("proof", "DEF")
library.define("turn_(Tensor(a!) x) -> ()")


def turn(x):
    x.neg_()


library.impl("turn_", turn, "CUDA")
torch.ops.proof.turn_(torch.ones(2))  # <- AOTI419
