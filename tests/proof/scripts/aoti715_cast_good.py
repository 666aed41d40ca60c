import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.fc(x)


net, x = Net().eval().half(), torch.ones(2, 8).half()
program = torch.export.export(net, (x,))
net.float()
net.half()
print("dtype:", program.module()(x).dtype)
