import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


SIZE = 2


def outer():
    size = 3

    def inner():
        nonlocal size
        size += 2
        return size

    inner()
    return size


def bump():
    global SIZE
    SIZE = 7


torch.export.export(M(), (torch.randn(outer(), 4),))
bump()
torch.export.export(M(), (torch.randn(SIZE, 4),))
makers = [lambda n=n: torch.randn(n, 4) for n in (2, 3)]
late = [lambda: torch.randn(n, 4) for n in (5, 6)]
torch.export.export(M(), (makers[0](),))
torch.export.export(M(), (late[0](),))


def counter():
    n = 0

    def step():
        nonlocal n
        n += 4
        return n

    return step


step = counter()
step()
torch.export.export(M(), (torch.randn(step(), 4),))
if (width := 4) > 3:
    torch.export.export(M(), (torch.randn(11, width),))
len = lambda thing: 13
torch.export.export(M(), (torch.randn(len([]), 4),))
del len
torch.export.export(M(), (torch.randn(len([1, 2]), 4),))
