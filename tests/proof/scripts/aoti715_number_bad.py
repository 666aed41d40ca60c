import torch


class Gain(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = 2.0

    def forward(self, x):
        return x * self.gain


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Gain()
        self.shift = True
        self.register_buffer("mean", torch.zeros(8))

    def forward(self, x):
        x = self.inner(x) - self.mean
        return x + 1 if self.shift else x


net, x = Net().eval(), torch.ones(2, 8)
program = torch.export.export(net, (x,))
first = program.module()(x)
net.inner.gain = 5.0  # <- AOTI715
net.shift = False  # <- AOTI715
net.mean = torch.ones(8)  # <- AOTI715
print("as before:", torch.equal(program.module()(x), first))
