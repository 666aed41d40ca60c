"""A name that never was, under an alias."""
import torch
import torch._inductor as bench


class Coil(torch.nn.Module):
    def forward(self, current):
        return current * 1e-3


if __name__ == "__main__":
    program = torch.export.export(Coil(), (torch.ones(4),))
    path = bench.aoti_compile_and_package(program, package_path="coil.pt2")
    step = bench.aot_load(path, "cpu")
    print(step(torch.ones(4)))
