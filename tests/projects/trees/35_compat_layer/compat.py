"""One face for the two generations of the API."""
import os

import torch
import torch._inductor

TORCH = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
HAS_PACKAGES = hasattr(torch._inductor, "aoti_load_package")

try:
    from torch.export import export_for_training as _capture
except ImportError:
    from torch.export import export as _capture

if TORCH >= (2, 5):
    from torch.export import Dim

    AUTO = Dim.AUTO
else:
    AUTO = None


def capture(model, args, dynamic_shapes=None):
    return _capture(model, args, dynamic_shapes=dynamic_shapes)


def build(model, args, dynamic_shapes, stem):
    if HAS_PACKAGES:
        program = torch.export.export(model, args, dynamic_shapes=dynamic_shapes)
        return torch._inductor.aoti_compile_and_package(program, package_path=stem + ".pt2")
    return torch._export.aot_compile(
        model, args, dynamic_shapes=dynamic_shapes, options={"aot_inductor.output_path": os.path.abspath(stem + ".so")}
    )


def load(path, device="cpu"):
    if not HAS_PACKAGES:
        return torch._export.aot_load(path, device)
    return torch._inductor.aoti_load_package(path)
