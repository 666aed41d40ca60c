import torch

_LIBS: list[torch.library.Library] = []


def _fragment(ns):
    lib = torch.library.Library(ns, "FRAGMENT")
    _LIBS.append(lib)
    return lib


det = _fragment("det")
det.define("nms(Tensor boxes, Tensor scores, float iou) -> Tensor")
det.define("box_area(Tensor boxes) -> Tensor")

from . import kernels  # noqa: E402,F401
