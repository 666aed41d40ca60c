import torch


@torch.library.custom_op("proof::scale_", mutates_args={"y"})
def scale_(x: torch.Tensor) -> None:  # <- AOTI414
    x.mul_(2)
