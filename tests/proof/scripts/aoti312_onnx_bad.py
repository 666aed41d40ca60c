"""Two Dims of one name with two ranges: an export to ONNX raises."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x.sum() + y.sum()


x, y = torch.randn(6, 8), torch.randn(6, 8)
one, two = torch.export.Dim("rows", max=32), torch.export.Dim("rows", max=64)
made = torch.onnx.export(Net(), (x, y), dynamic_shapes=({0: one}, {0: two}), verbose=False)  # <- AOTI312
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
