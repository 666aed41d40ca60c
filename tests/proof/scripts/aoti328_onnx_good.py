"""A dict at the end of the inputs is given by name."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x + y


x = torch.randn(6, 8)
made = torch.onnx.export(Net(), (x, {"y": x.clone()}), verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
