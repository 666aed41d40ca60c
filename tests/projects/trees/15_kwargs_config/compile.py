import torch
from torch import nn

import config


class Bilinear(nn.Module):
    def __init__(self):
        super().__init__()
        self.b = nn.Bilinear(5, 5, 1)

    def forward(self, left, right):
        return self.b(left, right).squeeze(-1)


def main(**overrides):
    model = Bilinear().eval()
    export = {**config.EXPORT, **overrides}
    program = torch.export.export(model, (torch.randn(4, 5), torch.randn(4, 5)), **export)
    torch._inductor.aoti_compile_and_package(program, **config.PACKAGE)


if __name__ == "__main__":
    main()
