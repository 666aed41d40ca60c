import torch

import ops  # noqa: F401
import shapes  # noqa: F401


class Chain(torch.nn.Module):
    def forward(self, x):
        x = torch.ops.fir.smooth(x, 5)
        return torch.ops.fir.envelope(torch.ops.fir.sharpen(x, 0.3))


if __name__ == "__main__":
    program = torch.export.export(Chain(), (torch.randn(2, 1, 64),), dynamic_shapes=({2: torch.export.Dim("t", min=8, max=4096)},))
    print(program.module()(torch.randn(2, 1, 100)).shape)
