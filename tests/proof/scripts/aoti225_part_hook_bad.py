"""A hook on a part of an exported module, which is never called."""

import torch

x = torch.randn(2, 8)


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.head = torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.head(x).relu()


seen = []
module = torch.export.export(Net().eval(), (x,)).module()
module.head.register_forward_hook(lambda layer, args, out: seen.append(out))  # <- AOTI225
module(x)
print(len(seen), "seen")
