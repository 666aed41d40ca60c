import torch


class M(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.l = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.relu(self.l(x))


import functools
from torch.export import Dim, export

batch = Dim("batch", min=2, max=32)
how = {"dynamic_shapes": {"x": {0: batch}}, "strict": False}
again = dict(how, strict=True)
export(M(), (torch.randn(4, 4),), **how)
export(M(), (torch.randn(5, 4),), **again)
free = functools.partial(export, **how)
free(M(), (torch.randn(6, 4),))
fixed = functools.partial(free, dynamic_shapes=None)
fixed(M(), (torch.randn(7, 4),))
make = functools.partial(torch.randn, 3, device="cpu")
fixed(M(), args=(make(4),))


def spread(*sizes, **options):
    return torch.randn(*sizes, **options)


fixed(M(), (spread(8, 4, device="cpu"),))
fixed(M(), (spread(*(9, 4), **{"dtype": torch.float32}),))
