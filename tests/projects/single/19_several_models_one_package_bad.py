"""The same compile call, but its library goes to the old loader."""
import torch
from torch import nn


class Up(nn.Module):
    def forward(self, x):
        return x + 1


def library_of(model, x):
    program = torch.export.export(model, (x,))
    with torch.no_grad():
        return torch._inductor.aot_compile(program.module(), (x,))


if __name__ == "__main__":
    x = torch.zeros(3)
    library = library_of(Up(), x)
    up = torch._export.aot_load(library, "cpu")
    print(up(x).tolist())
