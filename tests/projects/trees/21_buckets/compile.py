import torch
from torch import nn

from buckets import SIZES


class Router(nn.Module):
    def __init__(self, experts=4):
        super().__init__()
        self.gate = nn.Linear(9, experts)

    def forward(self, tokens):
        return self.gate(tokens).topk(2).indices


def main():
    router = Router().eval()
    programs = {}
    for size in SIZES:
        programs[size] = torch.export.export(router, (torch.zeros(size, 9),))
        assert programs[size].module()(torch.ones(size, 9)).shape == (size, 2)
    for size, program in programs.items():
        torch._inductor.aoti_compile_and_package(program, package_path=f"router_{size}.pt2")


if __name__ == "__main__":
    main()
