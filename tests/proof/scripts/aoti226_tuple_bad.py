"""An exported forward returns a tuple of two: an entry by name, a third item, a third name."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2, x


run = torch.export.export(Net(), (torch.randn(2, 4),)).module()
try:
    run(torch.randn(2, 4))[2]
except IndexError as error:
    print("caught", error)
try:
    one, two, three = run(torch.randn(2, 4))
except ValueError as error:
    print("caught", error)
run(torch.randn(2, 4))["logits"]  # <- AOTI226
