import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(3, 8, 3)
        self.head = torch.nn.Linear(24, 4)
        self.weight = torch.nn.Parameter(torch.ones(4, 2))

    def forward(self, x):
        return self.head(self.conv(x).flatten(1)) @ self.weight


program = torch.export.export(Net().eval(), (torch.randn(2, 3, 5),))
print(program.module()(torch.randn(2, 3, 5)).shape)
