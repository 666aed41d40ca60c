import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        small = F.interpolate(x, scale_factor=0.5)
        return x - F.interpolate(small, scale_factor=2.0)  # <- AOTI321


spec = {"x": {3: torch.export.Dim("width", min=8, max=64)}}
torch.export.export(Net(), (torch.randn(1, 2, 16, 16),), dynamic_shapes=spec)
