import torch

class Net(torch.nn.Module):
    def forward(self, x, y):
        return x.sum(), y.sum()

rows = torch.export.Dim("rows")
inputs = (torch.randn(4, 8), torch.randn(6, 8))
torch.export.export(Net(), inputs, dynamic_shapes={"x": {0: rows}, "y": {0: rows}})  # <- AOTI311
