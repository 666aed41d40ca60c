import torch


class Net(torch.nn.Module):
    def forward(self, x):
        torch._check(x.size(0) > 1)  # <- AOTI722
        return x * 2


torch.export.export(Net(), (torch.randn(8, 1).mT,))
