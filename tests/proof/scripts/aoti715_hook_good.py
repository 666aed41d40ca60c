"""A hook of before the export is part of the program; one of after it is for the model that is called then."""

import torch


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.head = torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.head(x)


x = torch.randn(2, 8)
net, seen = Net().eval(), []
net.head.register_forward_hook(lambda layer, args, out: out * 0)
program = torch.export.export(net, (x,))
handle = net.head.register_forward_hook(lambda layer, args, out: seen.append(out))
net(x)
handle.remove()
print(len(seen), "seen,", program.module()(x).abs().sum().item())
