"""A tuple of None may stand for a list: the exporter makes a list of it."""

import torch


class Net(torch.nn.Module):
    def forward(self, pair, y):
        return pair[0] + pair[1] + y.sum()


x = torch.randn(6, 8)
rows = torch.export.Dim("rows")
made = torch.onnx.export(Net(), ([x, x.clone()], x.clone()), dynamic_shapes=((None, None), {0: rows}), verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
