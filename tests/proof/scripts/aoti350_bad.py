"""A slice keeps the strides of the whole: the export holds the size to be none of 9."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


tokens = torch.randn(2, 9)
time = torch.export.Dim("time", max=64)
torch.export.export(Net(), (tokens[:, :7],), dynamic_shapes={"x": {1: time}})  # <- AOTI350
