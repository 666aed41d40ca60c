"""The branch is gone."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + 1


x = torch.randn(6, 8)
rows = torch.export.Dim("rows")
made = torch.onnx.export(Net(), (x,), dynamic_shapes={"x": {0: rows}}, verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
