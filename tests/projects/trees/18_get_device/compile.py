import torch
from torch import nn

from utils import get_device


class Fuse(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 8)
        self.b = nn.Linear(3, 8)

    def forward(self, lidar, radar):
        return torch.maximum(self.a(lidar), self.b(radar))


if __name__ == "__main__":
    device = get_device()
    model = Fuse().to(device).eval()
    example = (torch.randn(8, 4, device=device), torch.randn(8, 3, device=device))
    points = torch.export.Dim("points", min=1, max=4096)
    program = torch.export.export(model, example, dynamic_shapes=({0: points}, {0: points}))
    torch._inductor.aoti_compile_and_package(program, package_path="fuse.pt2")
