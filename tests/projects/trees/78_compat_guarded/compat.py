"""One name for every torch the product meets."""
import torch
from packaging.version import Version

TORCH = Version(torch.__version__.split("+")[0])

try:
    from torch.export import export_for_training as capture
except ImportError:
    from torch.export import export as capture

if TORCH < Version("2.5"):
    from torch.export import dynamic_dim  # noqa: F401

if hasattr(torch._inductor, "aoti_load_package"):
    load = torch._inductor.aoti_load_package
else:

    def load(path):
        return torch._export.aot_load(path, "cpu")


def legacy_capture(model, example):
    if TORCH >= Version("2.7"):
        return capture(model, example)
    return torch._export.capture_pre_autograd_graph(model, example)
