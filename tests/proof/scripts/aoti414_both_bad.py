import torch


@torch.library.custom_op("proof::scale_", mutates_args=(), schema="(Tensor(a!) x) -> ()")  # <- AOTI414
def scale_(x):
    x.mul_(2)
