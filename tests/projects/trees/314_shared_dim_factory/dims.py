import functools

from torch.export import Dim


@functools.cache
def dim(name, low=2, high=128):
    return Dim(name, min=low, max=high)


def fresh(name, high):
    return Dim(name, min=2, max=high)
