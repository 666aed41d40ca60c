import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


import importlib


def show(*sizes, device="cpu"):
    torch.export.export(M().to(device), (torch.randn(*sizes, 4, device=device),))


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def numbers():
    n = 2
    while True:
        got = yield n
        n = got or n + 1


def early(flag):
    if flag:
        return 3
    for n in range(10):
        if n == 4:
            return n
    return 5


def order(a, /, b, *rest, c=6, **others):
    return a + b + sum(rest) + c + sum(others.values())


def swallow():
    try:
        return 7
    finally:
        log.append(8)


def override():
    try:
        return 1
    finally:
        return 9


def conditional_import():
    name = "math"
    return importlib.import_module(name).floor(10.5)


log = []
show(fib(6))
source = numbers()
next(source)
show(next(source))
show(source.send(11))
show(early(True))
show(early(False))
show(order(1, 2, 3, c=4, d=2))
show(swallow())
show(log[0])
show(override())
show(conditional_import())
compose = lambda f, g: lambda n: f(g(n))
show(compose(lambda n: n + 1, lambda n: n * 6)(2))
default = 14


def late(rows=default):
    return rows


default = 15
show(late())
late.__defaults__ = (16,)
show(late())


def outer(value):
    def inner():
        return value

    value += 1
    return inner


show(outer(16)())
show(*map(lambda n: n * 6, filter(None, [0, 3])))
device = "cpu"


def use():
    return device


device = "meta"
show(2, device=use())


def attribute():
    attribute.count = getattr(attribute, "count", 0) + 1
    return attribute.count


attribute()
attribute()
show(attribute())
show(int.__add__(2, 3))
show(eval("2 + 4"))
