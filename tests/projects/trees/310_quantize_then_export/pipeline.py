import torch
from torch import nn
from torch.export import Dim

from steps import capture, finish, round_weights

example = (torch.randn(8, 10),)
shapes = ({0: Dim("batch", max=1024)},)
program = capture(nn.Linear(10, 3), example, shapes)
kept = finish(round_weights(program), example, shapes)
print(kept.module()(torch.randn(2, 10)).shape)
lost = finish(round_weights(program, bits=2), example)
print(lost.module()(torch.randn(2, 10)).shape)
