"""Every name is asked for only where it exists."""
import sys

import torch
from packaging.version import Version
from torch import nn

TORCH = Version(torch.__version__.split("+")[0])


def capture(model, args):
    if TORCH < Version("2.5"):
        from torch._export import capture_pre_autograd_graph

        return capture_pre_autograd_graph(model, args)
    if TORCH < Version("2.10"):
        return torch.export.export_for_training(model, args).module()
    return torch.export.export(model, args).module()


def inference_program(model, args):
    if hasattr(torch.export, "export_for_inference"):
        return torch.export.export_for_inference(model, args)
    return torch.export.export(model, args).run_decompositions()


if __name__ == "__main__":
    model, x = nn.Linear(3, 2).eval(), torch.ones(4, 3)
    print(capture(model, (x,))(x).shape, len(inference_program(model, (x,)).graph.nodes) > 0)
    sys.exit(0)
