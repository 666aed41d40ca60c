import torch
from torch import nn

from engine import DEVICE, PACKAGE


class Prune(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Linear(11, 11, bias=False)

    def forward(self, x, threshold):
        kept = torch.where(self.w.weight.abs() > threshold, self.w.weight, 0.0)
        return nn.functional.linear(x, kept)


def main():
    model = Prune().to(DEVICE).eval()
    x = torch.randn(4, 11, device=DEVICE)
    # a zero-dimensional threshold may stay on the host: torch takes it as a number
    threshold = torch.tensor(0.1)
    program = torch.export.export(model, (x, threshold), dynamic_shapes=({0: torch.export.Dim("n", max=100)}, None))
    torch._inductor.aoti_compile_and_package(program, package_path=PACKAGE)


if __name__ == "__main__":
    main()
