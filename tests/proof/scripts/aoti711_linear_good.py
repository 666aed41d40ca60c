import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 4)

    def forward(self, x):
        return self.fc(x)


x = torch.randn(3, 8, dtype=torch.float64)
program = torch.export.export(Net().eval().double(), (x,))
print(program.module()(x).dtype)
