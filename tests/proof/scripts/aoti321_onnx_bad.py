"""A named Dim beside a size of a layer becomes static in an export to ONNX, without a word."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(x)  # <- AOTI321


x = torch.randn(6, 8)
rows = torch.export.Dim("rows")
made = torch.onnx.export(Net(), (x,), dynamic_shapes={"x": {0: rows, 1: torch.export.Dim("width")}}, verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
