import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm2d(8)

    def forward(self, x):
        return self.norm(x)  # <- AOTI722


torch.export.export(Net(), (torch.randn(1, 8, 1, 1),))
