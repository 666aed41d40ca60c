import torch


def check():
    library = torch.library.Library("proof", "DEF")
    library.define("twice(Tensor x) -> Tensor")
    library.impl("twice", lambda x: x * 2, "CompositeExplicitAutograd")
    return torch.ops.proof.twice(torch.ones(4))


print("shape", tuple(check().shape))
