import torch

library = torch.library.Library("proof", "DEF")
library.define("turn(Tensor x) -> Tensor")
library.impl("turn", lambda x: -x, "CUDA")
library.impl("turn", lambda x: 0 - x, "CompositeExplicitAutograd")
print("gives", torch.ops.proof.turn(torch.ones(2)).tolist())
