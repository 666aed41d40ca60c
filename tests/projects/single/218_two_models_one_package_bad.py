import torch
from torch import nn
from torch._inductor.package import load_package, package_aoti


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


def files(model, example):
    program = torch.export.export(model, example)
    return torch._inductor.aot_compile(program.module(), example, options={"aot_inductor.package": True})


example = (torch.randn(2, 8),)
parts = {name: files(Net(width), example) for name, width in (("encoder", 16), ("decoder", 32))}
package_aoti("both.pt2", parts)
print(load_package("both.pt2", "enc")(*example).shape)
