import torch


@torch.library.custom_op("proof::step", mutates_args=("x",))
def step(x: torch.Tensor) -> torch.Tensor:
    x.add_(1)
    return x * 2


@step.register_fake
def _(x):
    return torch.empty_like(x)


x = torch.randn(4, 8)
torch.library.opcheck(step, (x,), test_utils="test_schema")
print("checked")
