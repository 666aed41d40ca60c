import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cat([x, torch.ones(2, 8, device="cuda")])  # <- AOTI103


torch.export.export(Net(), (torch.randn(2, 8),), strict=True)
