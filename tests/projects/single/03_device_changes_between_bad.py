"""One variable, two devices; the library is the first one's, the load the second one's."""
import os

import torch

OUT = os.path.abspath("out")


class Mul(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.rand(4, 4))

    def forward(self, x):
        return x @ self.w


def main():
    os.makedirs(OUT, exist_ok=True)
    device = "cpu"
    x = torch.rand(3, 4, device=device)
    lib = torch._export.aot_compile(Mul().to(device), (x,), options={"aot_inductor.output_path": f"{OUT}/{device}.so"})
    reference = torch._export.aot_load(lib, device)(x)

    device = "cuda"
    fast = torch._export.aot_load(lib, device)
    print(torch.allclose(fast(x.to(device)).cpu(), reference))


if __name__ == "__main__":
    main()
