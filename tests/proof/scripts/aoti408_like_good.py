import torch


@torch.library.custom_op("proof::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x):
    return torch.empty_like(x)


x = torch.randn(4, 8)
torch.library.opcheck(twice, (x,), test_utils="test_faketensor")
print("checked")
