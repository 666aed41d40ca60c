import torch


@torch.library.custom_op("proof::scale", mutates_args=())
def scale(x: torch.Tensor, low: float, high: float) -> torch.Tensor:
    return x.clamp(low, high) * 2


def backward(ctx, grad):
    return grad * 2, None, None


scale.register_autograd(backward)
x = torch.randn(4, requires_grad=True)
scale(x, -1.0, 1.0).sum().backward()
print("gradient", x.grad.tolist())
