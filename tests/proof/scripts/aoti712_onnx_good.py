"""A tuple is returned."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return (x + 1,)


x = torch.randn(6, 8)
made = torch.onnx.export(Net(), (x,), verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
