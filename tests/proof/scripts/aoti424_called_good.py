import torch


@torch.library.custom_op("mylib::leaky", mutates_args=())
def leaky(x: torch.Tensor, slope: float) -> torch.Tensor:
    return torch.where(x > 0, x, x * slope)


@leaky.register_fake
def _(x, slope):
    return torch.empty_like(x)


def setup(ctx, inputs, output):
    x, ctx.slope = inputs
    ctx.save_for_backward(x)


def backward(ctx, grad):
    (x,) = ctx.saved_tensors
    return torch.where(x > 0, grad, grad * ctx.slope), None


leaky.register_autograd(backward, setup_context=setup)
leaky(torch.randn(4, requires_grad=True), 0.1).sum().backward()
