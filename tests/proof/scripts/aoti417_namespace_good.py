import torch

first = torch.library.Library("proof", "DEF")
first.define("turn_(Tensor(a!) x) -> ()")
second = torch.library.Library("proof", "FRAGMENT")
second.define("invert_(Tensor(a!) x) -> ()")
second.define("invert_.by(Tensor(a!) x, int by) -> ()")
print("ops", torch.ops.proof.invert_.overloads())
