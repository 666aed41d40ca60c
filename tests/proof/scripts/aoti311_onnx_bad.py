"""One Dim on two sizes: an export to ONNX raises."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x.sum() + y.sum()


x, y = torch.randn(6, 8), torch.randn(4, 8)
rows = torch.export.Dim("rows")
made = torch.onnx.export(Net(), (x, y), dynamic_shapes=({0: rows}, {0: rows}), verbose=False)  # <- AOTI311
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
