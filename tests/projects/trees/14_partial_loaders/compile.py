import torch
from torch import nn

from loaders import library


class Echo(nn.Module):
    def __init__(self):
        super().__init__()
        self.taps = nn.Parameter(torch.randn(1, 1, 7))

    def forward(self, ping):
        return nn.functional.conv1d(ping, self.taps, padding=3).abs()


def main():
    pings = torch.export.Dim("pings", min=1, max=32)
    with torch.no_grad():
        torch._export.aot_compile(
            Echo().eval(),
            (torch.randn(2, 1, 100),),
            dynamic_shapes=({0: pings},),
            options={"aot_inductor.output_path": library("echo")},
        )


if __name__ == "__main__":
    main()
