"""ShapesCollection is only another way to write dynamic_shapes: an example of one row is refused all the same."""
import torch
from torch.export import Dim, ShapesCollection, export


class Clip(torch.nn.Module):
    def forward(self, x):
        return x.clamp(-1, 1)


if __name__ == "__main__":
    x = torch.rand(1, 3)
    shapes = ShapesCollection()
    shapes[x] = {0: Dim("rows", max=64)}
    print(export(Clip(), (x,), dynamic_shapes=shapes).module()(torch.rand(6, 3)).shape)
