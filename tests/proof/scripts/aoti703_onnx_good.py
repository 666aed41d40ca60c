"""A counter that is a buffer, exported to ONNX."""

import torch


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(4))

    def forward(self, x):
        self.seen += x
        return self.seen * 2


made = torch.onnx.export(Counter().eval(), (torch.ones(4),), dynamo=True, verbose=False)
print([value.name for value in made.model.graph.inputs])
