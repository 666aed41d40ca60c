import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = 2.0
        self.register_buffer("mean", torch.zeros(8))

    def forward(self, x):
        return x * self.gain - self.mean


net, x = Net().eval(), torch.ones(2, 8)
net.gain = 5.0
program = torch.export.export(net, (x,))
net.mean.fill_(1.0)
net.mean += 1
print("sees all:", torch.equal(program.module()(x), torch.full((2, 8), 3.0)))
compiled = torch.compile(net, backend="eager")
compiled(x)
net.gain = 2.0
print("looks again:", torch.equal(compiled(x), torch.zeros(2, 8)))
