"""The entries of dynamic_axes go to the inputs in their order: x has none, y is dynamic."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x.view(6, 2, 4) + y.sum()


x, y = torch.randn(6, 8), torch.randn(6, 8)
made = torch.onnx.export(Net(), (x, y), input_names=["x", "y"], dynamic_axes={"x": None, "y": {0: "batch"}}, verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
