import torch


@torch.library.custom_op("prove::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x):
    return torch.empty_like(x)


def backward(ctx, grad):
    return grad * 2


twice.register_autograd(backward)


def loss(x):
    return twice(x).sum()


x = torch.randn(3, requires_grad=True)
print("grad", torch.autograd.grad(loss(x), x), torch.vmap(twice)(torch.randn(2, 3)).shape)
print(torch.func.grad(torch.sum)(torch.randn(3)), twice(x).shape)
