import torch


@torch.library.custom_op("proof::sine_", mutates_args=("x",))
def sine_(x: torch.Tensor) -> None:
    x.sin_()


sine_.register_autograd(lambda ctx, grad: grad)  # <- AOTI424
