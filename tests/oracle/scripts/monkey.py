import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


import torch.export

real = torch.randn


def smaller(*sizes, **options):
    return real(*[size - 1 for size in sizes], **options)


torch.randn = smaller
torch.export.export(M(), (torch.randn(3, 5),))
torch.randn = real
torch.export.export(M(), (torch.randn(3, 4),))
name = "zeros"
torch.export.export(M(), (getattr(torch, name)(5, 4),))
space = {}
exec("size = 6", space)
torch.export.export(M(), (torch.randn(space["size"], 4),))
globals()["hidden"] = 7
torch.export.export(M(), (torch.randn(hidden, 4),))
kind = type("Made", (M,), {"rows": 8})
torch.export.export(kind(), (torch.randn(kind.rows, 4),))


class Lazy:
    def __getattr__(self, name):
        return 9 if name == "rows" else "cpu"


lazy = Lazy()
torch.export.export(M(), (torch.randn(lazy.rows, 4, device=lazy.device),))


class Sized:
    def __len__(self):
        return 10

    def __getitem__(self, key):
        return key + 11

    def __add__(self, other):
        return 12

    def __bool__(self):
        return False


sized = Sized()
torch.export.export(M(), (torch.randn(len(sized), 4),))
torch.export.export(M(), (torch.randn(sized[0], 4),))
torch.export.export(M(), (torch.randn(sized + 1, 4),))
torch.export.export(M(), (torch.randn(13 if sized else 14, 4),))
