import os

import torch

PATH = os.path.join("models", "meter.pt2")
_MODEL = None


def get():
    global _MODEL
    if _MODEL is None:
        _MODEL = torch._inductor.aoti_load_package(PATH)
    return _MODEL
