"""A branch on the values in a tensor: an export to ONNX raises."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:  # <- AOTI325
            return x
        return x + 1


x = torch.randn(6, 8)
made = torch.onnx.export(Net(), (x,), verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
