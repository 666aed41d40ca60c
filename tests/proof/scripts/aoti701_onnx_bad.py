"""Dropout that is in training mode stays on in a model for ONNX, batch normalisation does not."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.drop = torch.nn.BatchNorm1d(8), torch.nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.norm(x))


x = torch.randn(6, 8)
made = torch.onnx.export(Net(), (x,), "net.onnx", verbose=False)  # <- AOTI701
for node in made.model.graph:
    print(
        node.op_type, *(bool(value.const_value.numpy().any()) for value in node.inputs[2:] if node.op_type == "Dropout")
    )
    print([name for name in node.attributes if name == "training_mode"])
