"""The example is within the Dim."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + 1


x = torch.randn(6, 8)
made = torch.onnx.export(Net(), (x,), dynamic_shapes={"x": {0: torch.export.Dim("rows", max=64)}}, verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
