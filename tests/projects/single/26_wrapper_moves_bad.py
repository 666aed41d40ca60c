"""The wrapper knows where the package lives, and only says so."""
import torch
from torch import nn


class Compiled:
    """A package and its device."""

    def __init__(self, path, device):
        self.device = torch.device(device)
        self.fn = torch._inductor.aoti_load_package(path)

    def __call__(self, *inputs, **named):
        return self.fn(*inputs, **named)

    def __repr__(self):
        return f"<compiled for {self.device}>"


def build(device):
    net = nn.Sequential(nn.Linear(4, 4), nn.SiLU()).to(device).eval()
    program = torch.export.export(net, (torch.rand(2, 4, device=device),), dynamic_shapes=({0: torch.export.Dim("b")},))
    return torch._inductor.aoti_compile_and_package(program, package_path="silu.pt2")


if __name__ == "__main__":
    silu = Compiled(build("cuda"), "cuda")
    host = torch.rand(3, 4)
    print(silu, silu(host).device.type)
