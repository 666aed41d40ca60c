"""An input is missing: an export to ONNX raises."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x + y


x = torch.randn(6, 8)
made = torch.onnx.export(Net(), (x,), verbose=False)  # <- AOTI328
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
