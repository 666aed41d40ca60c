import torch
from torch import nn

from data import loader


class PulseNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(40, 12), nn.GELU(), nn.Linear(12, 3))

    def forward(self, pulse):
        return self.body(pulse)


def main():
    example, _ = next(iter(loader(16)))
    program = torch.export.export(PulseNet().eval(), (example,))
    torch._inductor.aoti_compile_and_package(program, package_path="pulse.pt2")


if __name__ == "__main__":
    main()
