"""A draft export goes on with the example's answer, and its program raises for inputs with another."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:  # <- AOTI325
            return x + 1
        return x - 1


x = torch.ones(2, 8)
program = torch.export.draft_export(Net(), (x,))
print(program.module()(x).sum())
program.module()(-x)
