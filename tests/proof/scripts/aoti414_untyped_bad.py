import torch


@torch.library.custom_op("proof::twice_", mutates_args={"x"})
def twice_(x) -> None:  # <- AOTI414
    x.mul_(2)
