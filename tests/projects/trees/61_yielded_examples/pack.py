import torch
from torch import nn
from torch.export import Dim, export

from samples import first


class Gust(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(5, 3)

    def forward(self, wind, pressure):
        return self.mix(torch.cat([wind, pressure / 1000], dim=1)).amax(1)


def shapes():
    rows = Dim("rows", min=1, max=4096)
    return {name: {0: rows} for name in ("wind", "pressure")}


if __name__ == "__main__":
    program = export(Gust().eval(), first(), dynamic_shapes=shapes())
    print(torch._inductor.aoti_compile_and_package(program, package_path="gust.pt2"))
