import torch


class Net(torch.nn.Module):
    def forward(self, x, mask=None):
        return x.masked_fill(mask, 0.0)  # <- AOTI722


torch.export.export(Net(), (torch.randn(2, 4),))
