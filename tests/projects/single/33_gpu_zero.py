"""cuda and cuda:0 are one place."""
import torch
from torch import nn


class Scan(nn.Module):
    def __init__(self):
        super().__init__()
        self.decay = nn.Parameter(torch.tensor([0.9, 0.8]))

    def forward(self, x):
        return (x * self.decay).cumsum(0)


def main():
    gpu = torch.device("cuda", 0)
    model = Scan().to("cuda:0")
    program = torch.export.export(model, (torch.rand(9, 2, device="cuda"),))
    scan = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="scan.pt2"))
    print(scan(torch.rand(9, 2).cuda(0)).shape)
    print(scan(torch.rand(9, 2, device=gpu)).shape)
    print(scan(torch.rand(9, 2).to(0)).shape)


if __name__ == "__main__":
    main()
