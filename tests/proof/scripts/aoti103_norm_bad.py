import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(8)

    def forward(self, x):
        return self.norm(x)  # <- AOTI103


torch.export.export(Net().to("meta"), (torch.randn(2, 8),))
