"""A function of torch.cond gives back its input: an export to ONNX raises."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x, (x,))  # <- AOTI716


x = torch.randn(6, 8)
made = torch.onnx.export(Net(), (x,), verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
