import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.ones(8)

    def forward(self, x):
        return x * self.scale  # <- AOTI103


torch.export.export(Net().to("meta"), (torch.randn(2, 8, device="meta"),))
