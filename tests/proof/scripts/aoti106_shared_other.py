import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 4)
        self.register_buffer("shift", torch.ones(4))

    def forward(self, x):
        return self.fc(x) + self.shift


net = Net().eval()
program = torch.export.export(net, (torch.randn(2, 8),))
net.double()
print({name: str(value.dtype) for name, value in program.state_dict.items()})
