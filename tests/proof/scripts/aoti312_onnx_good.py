"""Two names for two ranges."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x.sum() + y.sum()


x, y = torch.randn(6, 8), torch.randn(4, 8)
one, two = torch.export.Dim("rows", max=32), torch.export.Dim("more", max=64)
made = torch.onnx.export(Net(), (x, y), dynamic_shapes=({0: one}, {0: two}), verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
