import torch


class Net(torch.nn.Module):
    def forward(self, x, mask):
        return x * mask.unsqueeze(-1)  # <- AOTI714


torch.export.export(Net(), (torch.randn(3, 8), torch.ones(2)))
