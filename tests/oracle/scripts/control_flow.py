import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


import sys


def pick(kind):
    if kind == "small":
        return torch.randn(2, 4)
    if kind == "large":
        return torch.randn(20, 4)
    raise KeyError(kind)


def guarded(kind):
    try:
        return pick(kind)
    except KeyError:
        return torch.randn(3, 4)
    finally:
        pass


def last(flag):
    size = 5
    try:
        if flag:
            raise ValueError
        size = 6
    except ValueError:
        size = 7
    else:
        size += 10
    finally:
        size += 1
    return size


torch.export.export(M(), (pick("small"),))
torch.export.export(M(), (pick("large"),))
torch.export.export(M(), (guarded("none"),))
torch.export.export(M(), (torch.randn(last(True), 4),))
torch.export.export(M(), (torch.randn(last(False), 4),))
flag = sys.maxsize > 100
if flag:
    x = torch.randn(8, 4)
else:
    x = torch.randn(9, 4, device="meta")
torch.export.export(M(), (x,))
y = torch.randn(10, 4) if not flag else torch.randn(11, 4)
torch.export.export(M(), (y,))
try:
    import a_module_nobody_has
except ImportError:
    a_module_nobody_has = None
device = "meta" if a_module_nobody_has else "cpu"
torch.export.export(M().to(device), (torch.randn(12, 4, device=device),))
match device:
    case "cpu" | "gpu":
        z = torch.randn(13, 4)
    case _:
        z = torch.randn(14, 4)
torch.export.export(M(), (z,))
size = None
size = size or 15
torch.export.export(M(), (torch.randn(size, 4),))
found = next((n for n in (1, 16, 17) if n > 2), 0)
torch.export.export(M(), (torch.randn(found, 4),))
