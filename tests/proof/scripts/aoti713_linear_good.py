import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 4)

    def forward(self, x):
        return torch.nn.ReLU()(self.fc(x))


x = torch.ones(2, 8)
module = torch.export.export(Net().eval(), (x,)).module()
print("the same:", torch.equal(module(x), module(x)))
