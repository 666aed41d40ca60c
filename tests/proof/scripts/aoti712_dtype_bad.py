import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2, x.dtype


torch.export.export(Net(), (torch.randn(2),))  # <- AOTI712
