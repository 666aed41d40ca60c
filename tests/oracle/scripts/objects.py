import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


class Rows:
    total = 0

    def __init__(self, rows):
        self._rows = rows
        type(self).total += rows

    @property
    def rows(self):
        return self._rows

    @rows.setter
    def rows(self, value):
        self._rows = value * 2

    def __call__(self):
        return torch.randn(self.rows, 4)

    def __iter__(self):
        yield self.rows
        yield 4

    def __getitem__(self, index):
        return [self.rows, 4][index]

    def __eq__(self, other):
        return True

    def __lt__(self, other):
        return False

    def __contains__(self, item):
        return item == 3


class Twice(Rows):
    def __init__(self, rows, device="cpu"):
        super().__init__(rows * 2)
        self.device = device

    @property
    def rows(self):
        return super().rows + 1

    def to(self, device):
        self.device = device
        return self


def show(x):
    torch.export.export(M().to(x.device), (x,))


rows = Rows(2)
show(rows())
rows.rows = 3
show(rows())
twice = Twice(4)
show(twice())
show(torch.randn(*twice))
show(torch.randn(twice[0], twice[1]))
show(torch.randn(Rows.total, 4))
show(torch.randn(12 if rows == 5 else 13, 4))
show(torch.randn(12 if rows < 5 else 13, 4))
show(torch.randn(14 if 3 in rows else 15, 4))
show(torch.randn(2, 4, device=twice.to("meta").device))


class Meta(type):
    def __call__(cls, *args):
        return 16


class Odd(metaclass=Meta):
    pass


show(torch.randn(Odd(), 4))


class Made:
    def __new__(cls, *args):
        return 17


show(torch.randn(Made(), 4))


class Descriptor:
    def __get__(self, instance, owner):
        return 18

    def __set__(self, instance, value):
        pass


class Holder:
    rows = Descriptor()


holder = Holder()
holder.rows = 3
show(torch.randn(holder.rows, 4))


class Slotted:
    __slots__ = ("rows",)

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value + 1)


slotted = Slotted()
slotted.rows = 18
show(torch.randn(slotted.rows, 4))
