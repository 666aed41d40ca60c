import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.size(1) != 4:
            raise ValueError(f"expected 4 columns, got {x.size(1)}")  # <- AOTI722
        return x * 2


torch.export.export(Net(), (torch.randn(2, 6),))
