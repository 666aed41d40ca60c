"""Only the batch is dynamic."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(x)


x = torch.randn(6, 8)
rows = torch.export.Dim("rows")
made = torch.onnx.export(Net(), (x,), dynamic_shapes={"x": {0: rows}}, verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
