from calibrate import Stem, capture, observe
import torch
from torch.export import export


def ranges():
    # the same with today's API
    sample = torch.randn(3, 2, 30)
    return observe(export(Stem().eval(), (sample,)).module())


if __name__ == "__main__":
    print(len(ranges()))
