"""A running maximum that is a buffer, in a program that is decomposed."""

import torch


class Peak(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("peak", torch.zeros(4))

    def forward(self, x):
        self.peak[:] = torch.maximum(self.peak, x)
        return self.peak - x


program = torch.export.export(Peak(), (torch.ones(4),))
print("shape", program.run_decompositions().module()(torch.ones(4)).shape)
