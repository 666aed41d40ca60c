"""How we used to do it.

    so = torch._export.aot_compile(model, (x,))
"""
import torch

# from torch.export import dynamic_dim


def check():
    """Uses `torch.export.dynamic_dim`, which is gone."""
    x = torch.ones(4, 3)  # a comment: torch._export.aot_load
    return [torch.export.dynamic_dim(x, 0)]


if __name__ == "__main__":
    print(check())
