"""cuda(0) was meant for the input; it stands on the wrong line."""
import torch
from torch import nn


class Scan(nn.Module):
    def __init__(self):
        super().__init__()
        self.decay = nn.Parameter(torch.tensor([0.9, 0.8]))

    def forward(self, x):
        return (x * self.decay).cumsum(0)


def main():
    model = Scan().to(0)
    program = torch.export.export(model, (torch.rand(9, 2, device=0),))
    scan = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="scan.pt2"))
    print(scan(torch.rand(9, 2)).cuda(0).shape)


if __name__ == "__main__":
    main()
