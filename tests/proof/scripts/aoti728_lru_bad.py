import functools

import torch


@functools.lru_cache
def positions(n):
    return torch.arange(n) * 0.5


class Net(torch.nn.Module):
    def forward(self, x):
        return x + positions(x.shape[1])  # <- AOTI728


model, x = Net().eval(), torch.randn(2, 4)
program = torch.export.export(model, (x,)).module()
torch.testing.assert_close(program(x), model(x))
