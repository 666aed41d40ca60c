import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


import contextlib


def show(x):
    torch.export.export(M().to(x.device), (x,))


with torch.device("meta"):
    show(torch.randn(2, 4))
    with torch.device("cpu"):
        show(torch.randn(3, 4))
    show(torch.randn(4, 4))
show(torch.randn(5, 4))


def make():
    return torch.randn(6, 4)


with torch.device("meta"):
    x = make()
show(x)
stack = contextlib.ExitStack()
stack.enter_context(torch.device("meta"))
show(torch.randn(7, 4))
stack.close()
show(torch.randn(8, 4))


@contextlib.contextmanager
def nowhere():
    with torch.device("meta"):
        yield 9


with nowhere() as rows:
    show(torch.randn(rows, 4))


class Scope:
    def __enter__(self):
        torch.set_default_device("meta")
        return self

    def __exit__(self, *_):
        torch.set_default_device("cpu")


with Scope():
    show(torch.randn(10, 4))
show(torch.randn(11, 4))
with contextlib.suppress(ValueError):
    rows = 12
    int("x")
    rows = 13
show(torch.randn(rows, 4))
show(torch.randn_like(torch.empty(15, 4, device="meta")))
show(torch.tensor([[1.0] * 4], device="meta").cpu() if False else torch.ones(16, 4))
show(torch.from_numpy if False else torch.empty((17, 4), device=torch.device("meta", 0)))
show(torch.empty_strided((18, 4), (4, 1)))
show(torch.zeros(size=(19, 4)))
show(torch.ones([20, 4], dtype=None))
show(torch.full(size=[21, 4], fill_value=1.0))
show(torch.nn.Parameter(torch.randn(22, 4)).detach())
show(torch.nn.functional.one_hot(torch.arange(23) % 4, 4).float())
show(torch.stack([torch.ones(4)] * 24))
show(torch.cat((torch.ones(20, 4), torch.ones(5, 4)), dim=0))
show(torch.vstack([torch.ones(4)] * 26))
show(torch.broadcast_to(torch.ones(4), (27, 4)).contiguous())
