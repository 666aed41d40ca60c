import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x.transpose(0, 1).view(-1)  # <- AOTI722


torch.export.export(Net(), (torch.randn(2, 4),))
