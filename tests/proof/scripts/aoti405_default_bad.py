import torch


@torch.library.custom_op("proof::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@twice.register_fake
def _(x):
    return torch.empty(x.shape, device=x.device)  # <- AOTI405


x = torch.randn(4, 8, dtype=torch.bfloat16)
torch.library.opcheck(twice, (x,), test_utils="test_faketensor")
print("checked")
