import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.ndim != 3:
            raise RuntimeError("three dimensions")  # <- AOTI722
        return x * 2


torch.export.export(Net(), (torch.randn(2, 6),), strict=True)
