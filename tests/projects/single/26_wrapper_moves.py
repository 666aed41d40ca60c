"""The wrapper moves whatever it is given to where the package lives."""
import torch
from torch import nn


class Compiled:
    """A package that takes tensors from anywhere."""

    def __init__(self, path, device):
        self.device = torch.device(device)
        self.fn = torch._inductor.aoti_load_package(path)

    def __call__(self, *inputs, **named):
        inputs = tuple(self._move(x) for x in inputs)
        named = {name: self._move(x) for name, x in named.items()}
        return self.fn(*inputs, **named)

    def _move(self, x):
        return x.to(self.device) if isinstance(x, torch.Tensor) else x


def build(device):
    net = nn.Sequential(nn.Linear(4, 4), nn.SiLU()).to(device).eval()
    program = torch.export.export(net, (torch.rand(2, 4, device=device),), dynamic_shapes=({0: torch.export.Dim("b")},))
    return torch._inductor.aoti_compile_and_package(program, package_path="silu.pt2")


if __name__ == "__main__":
    silu = Compiled(build("cuda"), "cuda")
    host = torch.rand(3, 4)
    print(silu(host).device.type, silu(host.cuda()).device.type)
