import torch


@torch.library.custom_op("proof::sine", mutates_args=())
def sine(x: torch.Tensor, times: int) -> torch.Tensor:
    return x.sin() * times


@sine.register_fake
def _(x, times):
    return torch.empty_like(x)


def setup(ctx, inputs, output):
    (x,) = inputs  # <- AOTI424
    ctx.save_for_backward(x)


def backward(ctx, grad):
    (x,) = ctx.saved_tensors
    return grad * x.cos(), None


sine.register_autograd(backward, setup_context=setup)
sine(torch.randn(4, requires_grad=True), 2).sum().backward()
