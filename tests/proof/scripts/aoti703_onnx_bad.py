"""A counter that is a plain tensor, exported to ONNX."""

import torch


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = torch.zeros(4)

    def forward(self, x):
        self.seen += x  # <- AOTI703
        return self.seen * 2


torch.onnx.export(Counter().eval(), (torch.ones(4),), dynamo=True, verbose=False)
