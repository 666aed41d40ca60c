import torch


@torch.library.custom_op("prove::twice_grad", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x):
    return torch.empty_like(x)


def backward(ctx, grad):
    return grad * 2


twice.register_autograd(backward)


def loss(x):
    return twice(x).sum()  # <- AOTI425


print(torch.func.grad(loss)(torch.randn(3)))
