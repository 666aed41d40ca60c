import torch

from .registry import kernel


@kernel("clip_norm")
def clip_norm(x: torch.Tensor, limit: float) -> torch.Tensor:
    return x * (limit / x.norm(dim=-1, keepdim=True)).clamp(max=1.0)


@kernel("ramp")
def ramp(x: torch.Tensor) -> torch.Tensor:
    return x * torch.linspace(0, 1, x.shape[-1])


@clip_norm.register_fake
def _(x, limit):
    return torch.empty_like(x)
