"""The half of 6 is whole."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + 1


even = 2 * torch.export.Dim("half")
made = torch.onnx.export(Net(), (torch.randn(6, 8),), dynamic_shapes={"x": {0: even}}, verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
