import torch

from tools.aot import compile_to, open_library


class Flip(torch.nn.Module):
    def forward(self, x):
        return x.flip(0) * 2


if __name__ == "__main__":
    library = compile_to("flip.so", Flip(), torch.rand(3, 2))
    print(open_library(library)(torch.ones(3, 2)).sum().item())
