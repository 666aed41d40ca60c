"""The documented road to several models in one package; no bare library is opened."""
import torch
from torch import nn
from torch._inductor.package import load_package, package_aoti


class Up(nn.Module):
    def forward(self, x):
        return x + 1


class Down(nn.Module):
    def forward(self, x):
        return x - 1


def files_of(model, x):
    program = torch.export.export(model, (x,))
    return torch._inductor.aot_compile(program.module(), (x,), options={"aot_inductor.package": True})


if __name__ == "__main__":
    x = torch.zeros(3)
    path = package_aoti("stairs.pt2", {"up": files_of(Up(), x), "down": files_of(Down(), x)})
    up, down = load_package(path, "up"), load_package(path, "down")
    print(down(up(x)).tolist())
