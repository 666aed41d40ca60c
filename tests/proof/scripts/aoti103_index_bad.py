import torch


class Net(torch.nn.Module):
    def forward(self, x):
        first = torch.ones(8, device="cuda:0")
        return x.sum() + (first * torch.ones(8, device="cuda:1")).to(x.device)  # <- AOTI103


torch.export.export(Net(), (torch.randn(2, 8),))
