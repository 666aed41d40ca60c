import torch


@torch.library.custom_op("own::clipped", mutates_args=())
def clipped(x: torch.Tensor, limit: float) -> torch.Tensor:
    if x.abs().max() <= limit:
        return x.clone()
    return x.clamp(-limit, limit)


@clipped.register_fake
def _(x, limit):
    return torch.empty_like(x)


print("sum", clipped(torch.ones(3), 5.0).sum().item())
