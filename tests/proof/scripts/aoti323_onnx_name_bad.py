"""A name stands for Dim.DYNAMIC: an export to ONNX raises where a reshape fixes the size."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.view(6, 2, 4)  # <- AOTI323


x = torch.randn(6, 8)
made = torch.onnx.export(Net(), (x,), dynamic_shapes={"x": {0: "batch"}}, verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
