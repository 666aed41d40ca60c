import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3, padding=1)

    def forward(self, x):
        y = self.conv(x).relu()
        return y.view(y.shape[0], -1)  # <- AOTI722


model = Net().to(memory_format=torch.channels_last).eval()
torch.export.export(model, (torch.ones(2, 3, 8, 8),))
