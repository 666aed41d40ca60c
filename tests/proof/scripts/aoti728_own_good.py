import functools

import torch


@functools.lru_cache
def positions(n):
    return torch.arange(n) * 0.5


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.tables = {}

    def table(self, n):
        if n not in self.tables:
            self.tables[n] = torch.ones(n)
        return self.tables[n]

    def forward(self, x):
        return x + self.table(x.shape[1]) * positions(x.shape[1])


model, x = Net().eval(), torch.randn(2, 4)
expected = model(x)
program = torch.export.export(model, (x,)).module()
torch.testing.assert_close(program(x), model(x))
strict = torch.export.export(Net().eval(), (torch.randn(2, 7),), strict=True)
torch.testing.assert_close(program(x), expected)
