import torch

from collate import pad_to
from model import Chunked

rows = torch.export.Dim("rows", min=2, max=64)
chunks = torch.export.Dim("chunks", min=2, max=100)
example = pad_to([torch.ones(30), torch.ones(13)], multiple=8)
program = torch.export.export(Chunked().eval(), (torch.zeros(2, 32),), dynamic_shapes=({0: rows, 1: 8 * chunks},))
module = program.module()
print(module(example).shape, module(pad_to([torch.ones(n) for n in (3, 70, 20)], multiple=8)).shape)
free = torch.export.Dim("length", min=8, max=800)
torch.export.export(Chunked().eval(), (torch.zeros(2, 32),), dynamic_shapes=({0: rows, 1: free},))
