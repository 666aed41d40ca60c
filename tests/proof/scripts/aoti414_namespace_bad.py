import torch


@torch.library.custom_op("scale_", mutates_args={"x"})  # <- AOTI414
def scale_(x: torch.Tensor) -> None:
    x.mul_(2)
