"""A forward makes a nested tensor of values and offsets."""

import torch


class Net(torch.nn.Module):
    def forward(self, values, offsets):
        nested = torch.nested.nested_tensor_from_jagged(values, offsets)  # <- AOTI719
        return (nested * 2).values()


torch.export.export(Net(), (torch.randn(5, 8), torch.tensor([0, 2, 5])))
