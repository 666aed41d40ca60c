"""torch.cond is given what its functions give."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, x + 1, x - 1, (x,))  # <- AOTI342


torch.export.export(Net(), (torch.randn(4, 4),))
