import torch

class Net(torch.nn.Module):
    def forward(self, x, mask):
        return x * mask

rows = torch.export.Dim("rows")
inputs = (torch.randn(4, 8), torch.ones(8))
torch.export.export(Net(), inputs, dynamic_shapes={"x": {0: rows}})  # <- AOTI304
