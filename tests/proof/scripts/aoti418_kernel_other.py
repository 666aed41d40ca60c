import torch

library = torch.library.Library("proof", "DEF")
library.impl("turn", lambda x: -x, "CompositeExplicitAutograd")
library.define("turn(Tensor x) -> Tensor")
print("gives", torch.ops.proof.turn(torch.ones(2)).tolist())
