import torch
import torch.nn.functional as F


class Net(torch.nn.Module):
    def forward(self, x):
        small = F.interpolate(x, scale_factor=0.5)
        return x - F.interpolate(small, scale_factor=2.0)


for dim in (2 * torch.export.Dim("half", min=4, max=32), torch.export.Dim.DYNAMIC):
    torch.export.export(Net(), (torch.randn(1, 2, 16, 16),), dynamic_shapes={"x": {3: dim}})
    print("exported")
