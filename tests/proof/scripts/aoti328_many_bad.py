import torch


class Net(torch.nn.Module):
    def forward(self, pair, *, scale=1.0):
        return (pair[0] + pair[1]) * scale


pair = (torch.randn(4, 3), torch.randn(4, 3))
torch.export.export(Net(), pair, dynamic_shapes=(None,))  # <- AOTI328
