import torch

class Net(torch.nn.Module):
    def forward(self, x, y):
        return x.sum(), y.sum()

short, long = torch.export.Dim("short", max=32), torch.export.Dim("long", max=64)
inputs = (torch.randn(4, 8), torch.randn(4, 8))
torch.export.export(Net(), inputs, dynamic_shapes={"x": {0: short}, "y": {0: long}})
