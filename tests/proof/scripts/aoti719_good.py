"""A nested tensor that is made outside, jagged, in a strict export; and parts that are padded inside."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


class Padded(torch.nn.Module):
    def forward(self, a, b):
        return torch.nn.utils.rnn.pad_sequence([a, b], batch_first=True)


parts = [torch.randn(2, 8), torch.randn(3, 8)]
jagged = torch.nested.nested_tensor(parts, layout=torch.jagged)
torch.export.export(Net(), (jagged,), strict=True)
print(tuple(torch.export.export(Padded(), tuple(parts)).module()(*parts).shape))
