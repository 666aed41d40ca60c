"""The new loader where it is, the old one elsewhere."""
import torch

try:
    from torch._inductor import aoti_load_package
except ImportError:  # before 2.6
    aoti_load_package = None

try:
    from torch.export import export_for_training as capture
except ImportError:
    capture = torch.export.export


def load(path):
    try:
        return torch._inductor.aoti_load_package(path)
    except AttributeError:
        return torch._export.aot_load(path, "cpu")


def describe(program):
    make = getattr(torch.export, "export_for_inference", None)
    return make.__name__ if make else type(program).__name__


if __name__ == "__main__":
    program = capture(torch.nn.ReLU(), (torch.ones(2),))
    print(describe(program), aoti_load_package is not None, load.__name__)
