import torch


@torch.library.custom_op("proof::turned", mutates_args=())
def turned(x: torch.Tensor) -> torch.Tensor:
    return x.t().clone()


@turned.register_fake
def _(x):
    return torch.empty_like(x.t())


x = torch.randn(4, 8)
torch.library.opcheck(turned, (x,), test_utils="test_schema")
print("checked")
