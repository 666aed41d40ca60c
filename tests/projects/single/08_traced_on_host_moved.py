"""Traced on the host (memory is cheap there), moved, compiled for the GPU."""
import torch
from torch import nn
from torch.export.passes import move_to_device_pass


class Codebook(nn.Module):
    def __init__(self):
        super().__init__()
        self.entries = nn.Parameter(torch.randn(32, 6))

    def forward(self, x):
        return (x @ self.entries.T).argmax(-1)


def main(target="cuda"):
    x = torch.randn(5, 6)
    traced = torch.export.export(Codebook().eval(), (x,), dynamic_shapes={"x": {0: torch.export.Dim("n", min=1, max=512)}})
    moved = move_to_device_pass(traced, target)
    path = torch._inductor.aoti_compile_and_package(moved, package_path="codebook.pt2")
    print(torch._inductor.aoti_load_package(path)(torch.randn(50, 6, device=target)).shape)


if __name__ == "__main__":
    main()
