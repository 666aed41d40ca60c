"""Quantiles by sorting, as one operator so that the profiler names it."""
import torch
from torch import Tensor
from torch.library import custom_op


@custom_op("fairlab::soft_quantile", mutates_args=())
def soft_quantile(values: Tensor, q: float) -> Tensor:
    ordered, _ = values.sort(-1)
    place = q * (ordered.shape[-1] - 1)
    low, part = int(place), place - int(place)
    high = min(low + 1, ordered.shape[-1] - 1)
    return ordered[..., low] * (1 - part) + ordered[..., high] * part


def _backward(ctx, grad):
    return grad.unsqueeze(-1) * ctx.weight, None


def _setup(ctx, inputs, output):
    values, _ = inputs
    ctx.weight = torch.full_like(values, 1 / values.shape[-1])


soft_quantile.register_autograd(_backward, setup_context=_setup)
