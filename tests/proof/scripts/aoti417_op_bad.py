import torch

torch.library.define("proof::turn_", "(Tensor(a!) x) -> ()")


@torch.library.custom_op("proof::turn_", mutates_args={"x"})  # <- AOTI417
def turn_(x: torch.Tensor) -> None:
    x.neg_()
