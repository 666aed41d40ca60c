import os

import torch
from torch import nn

LIBRARY = os.path.abspath("thermal.so")


class Thermal(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = nn.Parameter(torch.tensor([0.2, 0.5, 0.2]))

    def forward(self, rod):
        padded = nn.functional.pad(rod, (1, 1))
        return padded[:, :-2] * self.k[0] + padded[:, 1:-1] * self.k[1] + padded[:, 2:] * self.k[2]


if __name__ == "__main__":
    rods = torch.export.Dim("rods", min=1, max=100)
    torch._export.aot_compile(
        Thermal(),
        (torch.zeros(5, 12),),
        dynamic_shapes={"rod": {0: rods}},
        options={"aot_inductor.output_path": LIBRARY},
    )
