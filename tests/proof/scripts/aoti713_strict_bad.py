import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.nn.Linear(8, 4)(x)  # <- AOTI713


torch.export.export(Net().eval(), (torch.ones(2, 8),), strict=True)
