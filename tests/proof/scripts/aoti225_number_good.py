import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = 2.0

    def forward(self, x):
        return x * self.factor


net = Net()
net.factor = 3.0
model = torch.export.export(net, (torch.ones(4),)).module()
model.version = 7
print("factor", model(torch.ones(4))[0].item(), model.version)
