import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(3)
        self.conv = torch.nn.Conv2d(3, 8, 3, padding=1)

    def forward(self, x):
        y = self.norm(x.permute(0, 2, 3, 1))
        return y.view(y.shape[0], -1), self.conv(x).flatten(1)


model = Net().to(memory_format=torch.channels_last).eval()
program = torch.export.export(model, (torch.ones(2, 3, 8, 8),))
print("shapes", [tuple(one.shape) for one in program.module()(torch.ones(2, 3, 8, 8))])
