"""Every operator of the table keeps the shape of its first argument."""
import torch

from ops import SCHEMAS


def same_shape(x, *_):
    return torch.empty_like(x)


def register_all():
    for name in SCHEMAS:
        torch.library.register_fake(f"fir::{name}", same_shape)


register_all()
