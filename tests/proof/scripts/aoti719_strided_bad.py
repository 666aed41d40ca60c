"""A forward packs its inputs into a nested tensor."""

import torch


class Net(torch.nn.Module):
    def forward(self, a, b):
        both = torch.nested.nested_tensor([a, b])  # <- AOTI719
        return torch.nested.to_padded_tensor(both, 0.0)


torch.export.export(Net(), (torch.randn(2, 8), torch.randn(3, 8)))
