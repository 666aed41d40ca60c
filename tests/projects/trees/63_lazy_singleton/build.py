import os

import torch
from torch import nn

from store import PATH


class Meter(nn.Module):
    def __init__(self, inputs=7, outputs=2):
        super().__init__()
        self.a = nn.Linear(inputs, 12)
        self.b = nn.Linear(12, outputs)

    def forward(self, reading):
        return self.b(torch.sigmoid(self.a(reading)))


def main():
    os.makedirs(os.path.dirname(PATH), exist_ok=True)
    household = torch.export.Dim("household")
    program = torch.export.export(Meter().eval(), (torch.zeros(16, 7),), dynamic_shapes=({0: household},))
    torch._inductor.aoti_compile_and_package(program, package_path=PATH)


if __name__ == "__main__":
    main()
