import torch


class Net(torch.nn.Module):
    def forward(self, x):
        left, right = x.chunk(2)
        return torch.cond(x.sum() > 0, lambda a, b: a + b, lambda a, b: a - b, (left, right))  # <- AOTI342


torch.export.export(Net(), (torch.randn(4, 4),))
