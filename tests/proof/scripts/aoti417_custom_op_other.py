import torch


@torch.library.custom_op("proof::turn_", mutates_args={"x"})
def turn_(x: torch.Tensor) -> None:
    x.neg_()


@torch.library.custom_op("proof::turn_", mutates_args={"x"})
def other_(x: torch.Tensor) -> None:
    x.mul_(3)


x = torch.ones(2)
torch.ops.proof.turn_(x)
print("gives", x.tolist())
