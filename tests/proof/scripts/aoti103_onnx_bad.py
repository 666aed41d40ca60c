"""The weights are not where the input is: an export to ONNX raises."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 2, device="meta")

    def forward(self, x):
        return self.fc(x)  # <- AOTI103


made = torch.onnx.export(Net(), (torch.randn(6, 8),), verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
