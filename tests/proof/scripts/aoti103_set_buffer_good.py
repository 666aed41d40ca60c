import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.ones(8))
        self.register_buffer("shift", None)

    def forward(self, x):
        return x * self.scale + self.shift


net = Net()
net.scale = torch.full((8,), 2.0)
net.shift = torch.zeros(8)
program = torch.export.export(net.to("meta"), (torch.randn(2, 8, device="meta"),))
print("program", type(program).__name__)
