import torch
import torch._functorch.config


def run(gm):
    with torch._functorch.config.patch("force_autograd_caches_", True):  # <- AOTI510
        return gm()


run(lambda: print("inside"))
