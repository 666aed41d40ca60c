"""Dim.AUTO on a dim of size one goes static without an error; the call with four then fails."""
import torch
from torch.export import Dim, export


class Broadcast(torch.nn.Module):
    def forward(self, image, scale):
        return image * scale


if __name__ == "__main__":
    image, scale = torch.rand(1, 3, 8, 8), torch.rand(1, 3, 1, 1)
    free = {0: Dim.AUTO, 2: Dim.AUTO, 3: Dim.AUTO}
    program = export(Broadcast(), (image, scale), dynamic_shapes=(free, {0: Dim.STATIC}))
    print(program.module()(torch.rand(4, 3, 20, 30), scale).shape)
