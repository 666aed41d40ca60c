from __future__ import annotations

import string
from collections import OrderedDict
from typing import Any, Iterable, Mapping

import torch
from torch import nn
from torch.export import Dim, export

AXES: Mapping[str, tuple[str, ...]] = {
    "image": ("batch", "channel", "height", "width"),
    "boxes": ("batch", "box", "coord"),
    "scores": ("batch", "box"),
}
FIXED = {"channel", "coord", "height", "width"}


def dims(names: Iterable[str] = ("batch", "box")) -> dict[str, Any]:
    return {n: Dim(n, min=1, max=1024) for n in names if n[0] in string.ascii_lowercase}


def spec() -> dict[str, dict[int, Any]]:
    free = dims()
    return {
        key: {i: free[axis] for i, axis in enumerate(axes) if axis not in FIXED}
        for key, axes in AXES.items()
    }


SIZES = dict(batch=2, box=1, channel=3, height=8, width=8, coord=4)


def example() -> "OrderedDict[str, torch.Tensor]":
    return OrderedDict((key, torch.rand(*(SIZES[a] for a in axes))) for key, axes in AXES.items())


class Detector(nn.Module):
    def forward(self, image, boxes, scores):
        weight = (boxes * scores[..., None]).sum((1, 2))
        return image.mean((1, 2, 3)) + weight


def main() -> None:
    ep = export(Detector(), (), dict(example()), dynamic_shapes=spec())
    print(ep.range_constraints)


if __name__ == "__main__":
    main()
