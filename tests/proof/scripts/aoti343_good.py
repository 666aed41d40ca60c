"""A copy, another tensor, a loop that nothing traces anew, and what torch.cond is given."""

import torch
from torch._higher_order_ops import while_loop
from torch._higher_order_ops.scan import scan


def less(i, y):
    return i < 3


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.step = torch.nn.Parameter(torch.ones(4, 4))

    def forward(self, steps, x):
        y = x.abs()
        a = while_loop(less, lambda i, z: (i + 1, z + x), (steps, x.clone()))[1]
        b = while_loop(less, lambda i, z: (i + 1, z + y), (steps, x))[1]
        c = while_loop(less, lambda i, z: (i + 1, z + self.step), (steps, x))[1]
        d = scan(lambda total, row: (total + row + y[0], row * 2), x[0] * 1, x)[0]
        e = torch.cond(x.sum() > 0, lambda p, q: p + q + x, lambda p, q: p - q, (x, x))
        return a + b + c + d + e


program = torch.export.export(Net(), (torch.tensor(0), torch.randn(4, 4))).run_decompositions()
print("decomposed")


@torch.compile(backend="eager")
def kept(steps, x):
    return while_loop(less, lambda i, z: (i + 1, z + x), (steps, x))[1]


print("eager", kept(torch.tensor(0), torch.ones(2)))
print("called", while_loop(less, lambda i, z: (i + 1, z + z), (torch.tensor(0), torch.ones(2)))[1])
