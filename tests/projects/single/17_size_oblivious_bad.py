"""The patch ends before the export begins."""
import torch
import torch.fx.experimental._config as fx_config
from torch.export import Dim, export


class Norm(torch.nn.Module):
    def forward(self, x):
        return x / (x.norm(dim=-1, keepdim=True) + 1e-6)


def main():
    with fx_config.patch(backed_size_oblivious=True):
        shapes = {"x": {0: Dim("batch", min=1, max=64)}}
    program = export(Norm(), (torch.rand(1, 6),), dynamic_shapes=shapes)
    print(program.module()(torch.rand(17, 6)).shape)


if __name__ == "__main__":
    main()
