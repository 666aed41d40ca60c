import torch
from torch import nn


class Depth(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 6, 3, padding=1)
        self.out = nn.Conv2d(6, 1, 1)
        self.register_buffer("mean", torch.tensor([0.5, 0.4, 0.4]).view(1, 3, 1, 1))

    def forward(self, rgb):
        return self.out(self.conv(rgb - self.mean).relu()).exp()


if __name__ == "__main__":
    rgb = torch.rand(2, 3, 32, 32)
    program = torch.export.export(Depth().eval(), (rgb,), dynamic_shapes={"rgb": {0: torch.export.Dim("n", min=1, max=32)}})
    torch.export.save(program, "depth.ep.pt2")
