import functools
import tempfile
from pathlib import Path

import torch
from torch import nn


class Fold(nn.Module):
    def forward(self, pairs):
        (left, right), weight = pairs
        return left @ right * weight


@functools.cache
def loaded(name):
    return torch.export.load(FOLDER / f"{name}.pt2").module()


def example(n):
    return (torch.rand(n, 3), torch.rand(3, 2)), torch.ones(())


with tempfile.TemporaryDirectory() as folder:
    FOLDER = Path(folder)
    n = torch.export.Dim("n", max=50)
    spec = {"pairs": (({0: n}, None), None)}
    torch.export.save(torch.export.export(Fold(), (example(5),), dynamic_shapes=spec), FOLDER / "fold.pt2")
    for count in (5, 20):
        print(loaded("fold")(example(count)).shape)
