import torch

class Net(torch.nn.Module):
    def forward(self, x, y):
        return x.sum() + y

rows = torch.export.Dim("rows")
inputs = (torch.randn(4, 8), torch.randn(4, 8))
torch.export.export(Net(), inputs, dynamic_shapes=({0: rows},))  # <- AOTI305
