import torch
from torch import nn

from model_store import PACKAGE

MINI_BATCH = 8


class Leaf(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, stride=2)
        self.out = nn.Linear(4, 5)

    def forward(self, picture):
        return self.out(self.conv(picture).relu().mean((2, 3)))


def main() -> None:
    pictures = torch.rand(MINI_BATCH, 3, 20, 20)
    program = torch.export.export(Leaf().eval(), (pictures,))
    torch._inductor.aoti_compile_and_package(program, package_path=str(PACKAGE))


if __name__ == "__main__":
    main()
