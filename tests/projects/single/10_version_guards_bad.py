"""The guard is the wrong way round: the name is asked for exactly where it is gone."""
import sys

import torch
from packaging.version import Version
from torch import nn

TORCH = Version(torch.__version__.split("+")[0])


def capture(model, args):
    if TORCH >= Version("2.5"):
        from torch._export import capture_pre_autograd_graph

        return capture_pre_autograd_graph(model, args)
    return torch.export.export(model, args).module()


if __name__ == "__main__":
    model, x = nn.Linear(3, 2).eval(), torch.ones(4, 3)
    print(capture(model, (x,))(x).shape)
    sys.exit(0)
