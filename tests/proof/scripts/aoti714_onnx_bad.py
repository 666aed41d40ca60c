"""A layer is given a size it is not made for: an export to ONNX raises."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(16, 2)

    def forward(self, x):
        return self.fc(x)  # <- AOTI714


x = torch.randn(6, 8)
made = torch.onnx.export(Net(), (x,), verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
