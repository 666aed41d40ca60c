import torch
from torch import nn
from torch.export import Dim

from samples import Sample


class MaskedPool(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.proj = nn.Linear(width, width)

    def forward(self, features, mask):
        weight = mask.unsqueeze(-1)
        return (self.proj(features) * weight).sum(1) / weight.sum(1)


def export(sample: Sample):
    batch = Dim("batch", min=1, max=128)
    shapes = {"features": {0: batch}, "mask": {0: batch}}
    return torch.export.export(MaskedPool().eval(), sample.as_args(), dynamic_shapes=shapes)


def main():
    program = export(Sample.dummy(length=20))
    print(program.range_constraints)
    torch._inductor.aoti_compile_and_package(program, package_path="pool.pt2")


if __name__ == "__main__":
    main()
