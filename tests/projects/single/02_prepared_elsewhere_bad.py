"""The same, with a helper that can be read: it moves to the GPU."""
import torch
from torch import nn


def prepare(*things):
    moved = tuple(thing.to("cuda") for thing in things)
    return moved if len(moved) > 1 else moved[0]


def main():
    model, example = prepare(nn.Linear(8, 2).eval(), torch.randn(16, 8))
    program = torch.export.export(model, (example,), dynamic_shapes=({0: torch.export.Dim("b", max=64)},))
    path = torch._inductor.aoti_compile_and_package(program, package_path="linear.pt2")
    compiled = torch._inductor.aoti_load_package(path)
    print(compiled(torch.randn(16, 8)).shape)


if __name__ == "__main__":
    main()
