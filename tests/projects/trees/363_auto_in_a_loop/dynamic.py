import torch
from torch.export import Dim
from torch.utils import _pytree as pytree


def all_auto(args):
    """Every dimension of every tensor is torch's to decide."""
    return pytree.tree_map(lambda t: dict.fromkeys(range(t.dim()), Dim.AUTO) if isinstance(t, torch.Tensor) else None, args)


def batch_only(args):
    return tuple({0: Dim.DYNAMIC} if isinstance(a, torch.Tensor) and a.ndim else None for a in args)
