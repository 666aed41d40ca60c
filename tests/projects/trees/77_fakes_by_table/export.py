import torch
from torch import nn

from ops import *  # noqa: F403

register_all()  # noqa: F405


class Match(nn.Module):
    def forward(self, a, b):
        return pairwise(normalise(a), normalise(b)).amin(1)  # noqa: F405


if __name__ == "__main__":
    shapes = [{0: torch.export.Dim(name)} for name in ("left", "right")]
    program = torch.export.export(Match(), (torch.rand(4, 3), torch.rand(6, 3)), dynamic_shapes=shapes)
    print(program.module()(torch.rand(9, 3), torch.rand(2, 3)).shape)
