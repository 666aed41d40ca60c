"""Old code that is still there and never runs."""
import sys
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch.export import dynamic_dim  # noqa: F401

LEGACY = False


def old(model, x):
    raise NotImplementedError("removed in 2.0 of this tool")
    return torch._inductor.aot_load(torch._export.aot_compile(model, (x,)), "cuda")


def main():
    if LEGACY:
        torch.export.export_for_inference(torch.nn.ReLU(), (torch.ones(2),))
    if sys.version_info < (3, 8):
        from torch.export import export_for_training  # noqa: F401
    program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
    return len(program.graph.nodes)
    torch.export.export_for_training(torch.nn.ReLU(), (torch.ones(2),))


if __name__ == "__main__":
    print(main())
