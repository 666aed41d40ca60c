"""A table has 16 positions, and the range of the input goes to 64: the export takes it, and a call does not."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.positions = torch.nn.Embedding(50, 8), torch.nn.Embedding(16, 8)

    def forward(self, tokens):
        return self.words(tokens) + self.positions(torch.arange(tokens.shape[1]))  # <- AOTI315


length = torch.export.Dim("length", max=64)
program = torch.export.export(Net(), (torch.randint(0, 50, (2, 6)),), dynamic_shapes={"tokens": {1: length}})
print("exported", program.range_constraints)
program.module()(torch.randint(0, 50, (2, 17)))  # <- AOTI338
