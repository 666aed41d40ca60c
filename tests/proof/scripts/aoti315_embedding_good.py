"""A table has 16 positions, and the range of the input says so."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.positions = torch.nn.Embedding(50, 8), torch.nn.Embedding(16, 8)

    def forward(self, tokens):
        return self.words(tokens) + self.positions(torch.arange(tokens.shape[1]))


length = torch.export.Dim("length", max=16)
program = torch.export.export(Net(), (torch.randint(0, 50, (2, 6)),), dynamic_shapes={"tokens": {1: length}})
print("shape", tuple(program.module()(torch.randint(0, 50, (2, 16))).shape))
