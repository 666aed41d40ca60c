"""The entries of dynamic_axes go to the inputs in their order: this one to x, whose size a reshape fixes."""

import torch


class Net(torch.nn.Module):
    def forward(self, x, y):
        return x.view(6, 2, 4) + y.sum()


x, y = torch.randn(6, 8), torch.randn(6, 8)
axes = {"y": {0: "batch"}}
torch.onnx.export(Net(), (x, y), input_names=["x", "y"], dynamic_axes=axes, verbose=False)  # <- AOTI345
