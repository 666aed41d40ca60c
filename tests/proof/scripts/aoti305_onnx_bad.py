"""Two inputs and one entry in dynamic_shapes: an export to ONNX raises."""

import torch


class Net(torch.nn.Module):
    def forward(self, pair, y):
        return pair[0] + pair[1] + y.sum()


x = torch.randn(6, 8)
rows = torch.export.Dim("rows")
made = torch.onnx.export(Net(), ([x, x.clone()], x.clone()), dynamic_shapes=([{0: rows}, {0: rows}],), verbose=False)  # <- AOTI305
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
