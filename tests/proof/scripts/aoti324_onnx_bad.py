"""A named Dim that a branch fixes becomes static in an export to ONNX, without a word."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] == 6:  # <- AOTI324
            return x + 1
        return x


x = torch.randn(6, 8)
rows = torch.export.Dim("rows")
made = torch.onnx.export(Net(), (x,), dynamic_shapes={"x": {0: rows}}, verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
