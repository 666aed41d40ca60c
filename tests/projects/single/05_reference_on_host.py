"""Eager and compiled agree? The comparison is made on the host, the calls are not."""
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(12)
        self.mlp = nn.Linear(12, 12)

    def forward(self, x):
        return x + self.mlp(self.norm(x)).relu()


def main():
    block = Block().cuda().eval()
    x = torch.randn(4, 12, device="cuda")
    with torch.inference_mode():
        expected = block(x).cpu()
        program = torch.export.export(block, (x,))
    path = torch._inductor.aoti_compile_and_package(program, package_path="block.pt2")
    got = torch._inductor.aoti_load_package(path)(x)
    kept = x.cpu().numpy().tolist()
    torch.testing.assert_close(got.cpu(), expected, atol=1e-4, rtol=1e-4)
    print(len(kept), "rows agree")


if __name__ == "__main__":
    main()
