import torch


@torch.library.custom_op("mylib::square", mutates_args=())
def square(x: torch.Tensor) -> torch.Tensor:
    return x * x


@square.register_fake
def _(x):
    return torch.empty_like(x)


def setup(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def backward(ctx, grad):
    return 2 * ctx.saved_tensors[0] * grad


square.register_autograd(backward, setup_context=setup)
x = torch.full((2,), 3.0, requires_grad=True)
square(x).sum().backward()
print(x.grad)
