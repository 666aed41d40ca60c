import functools

import torch

from blocks import GridMerge, GridMergeOf

BATCH = torch.export.Dim("batch", max=512)
LENGTH = torch.export.Dim("length", min=4, max=4096)

RECIPES = {
    "fixed": (functools.partial(GridMergeOf, 8, side=6), {0: BATCH}),
    "rows": (functools.partial(GridMerge, width=8), {0: BATCH}),
    "free": (functools.partial(GridMerge, width=8), {0: BATCH, 1: LENGTH}),
}


def build(recipe):
    make, shapes = RECIPES[recipe]
    return torch.export.export(make().eval(), (torch.randn(3, 36, 8),), dynamic_shapes={"x": shapes})
