"""Each input of forward has its entry."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x + y


x = torch.randn(6, 8)
rows = torch.export.Dim("rows")
made = torch.onnx.export(Net(), (x, x.clone()), dynamic_shapes={"x": {0: rows}, "y": {0: rows}}, verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
