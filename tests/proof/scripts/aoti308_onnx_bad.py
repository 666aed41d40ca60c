"""The example is larger than its Dim allows: an export to ONNX raises."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + 1


x = torch.randn(6, 8)
made = torch.onnx.export(
    Net(), (x,), dynamic_shapes={"x": {0: torch.export.Dim("rows", max=4)}}, verbose=False
)  # <- AOTI308
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
