import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        return x / self.weight.data.norm()  # <- AOTI346


torch.export.export(Net(), (torch.randn(3),))
