import torch
from torch import nn

from bands import shift


class Difference(nn.Module):
    def forward(self, spectrum):
        return spectrum - shift(spectrum, 1)


if __name__ == "__main__":
    rows = torch.export.Dim("rows", min=2, max=300)
    program = torch.export.export(Difference(), (torch.rand(4, 16),), dynamic_shapes=({0: rows},))
    print(program.module()(torch.rand(9, 16)).shape)
