"""The function of a loop gives another dtype than it is given."""

import torch
from torch._higher_order_ops import while_loop


class Net(torch.nn.Module):
    def forward(self, x):
        return while_loop(lambda x: x.sum() < 3, lambda x: (x.double(),), (x,))  # <- AOTI342


torch.export.export(Net(), (torch.randn(4, 4),))
