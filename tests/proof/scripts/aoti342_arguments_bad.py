"""One of the functions of torch.cond takes no argument, though there is an operand."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + 1, lambda: torch.zeros(4, 4), (x,))  # <- AOTI342


torch.export.export(Net(), (torch.randn(4, 4),))
