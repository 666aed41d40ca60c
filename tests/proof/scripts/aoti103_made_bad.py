import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + torch.ones(8, device="cuda")  # <- AOTI103


torch.export.export(Net(), (torch.randn(2, 8),))
