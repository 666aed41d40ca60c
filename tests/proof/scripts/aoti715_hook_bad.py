"""A hook that is registered after the export does nothing for the program."""

import torch


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.head = torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.head(x).relu()


x = torch.randn(2, 8)
net, seen = Net().eval(), []
program = torch.export.export(net, (x,))
net.head.register_forward_hook(lambda layer, args, out: seen.append(out))  # <- AOTI715
program.module()(x)
print(len(seen), "seen")
