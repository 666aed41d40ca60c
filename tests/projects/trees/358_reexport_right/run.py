import torch
from torch import nn
from torch.export import Dim, export

from passes import again, decompose, narrow

example = (torch.randn(6, 4),)
program = export(nn.GELU(), example, dynamic_shapes=({0: Dim("rows", min=2)},))
print(decompose(program).module()(torch.randn(9, 4)).shape)
print(again(program, example).module()(torch.randn(3, 4)).shape)
print(narrow(program, (torch.randn(2, 4),)).module()(torch.randn(2, 4)).shape)
