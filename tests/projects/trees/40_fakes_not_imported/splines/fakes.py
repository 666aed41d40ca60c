"""Shape functions; imported by the package (so it was planned)."""
import torch

from .ops import evaluate


@evaluate.register_fake
def _(knots, at):
    return torch.empty_like(at)
