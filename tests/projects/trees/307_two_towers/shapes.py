from torch.export import Dim


def dims_for(*names, limit=10_000):
    return tuple({0: Dim(name, min=2, max=limit)} for name in names)
