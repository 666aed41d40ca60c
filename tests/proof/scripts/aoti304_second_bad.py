import torch

class Net(torch.nn.Module):
    def forward(self, *parts):
        return torch.cat(parts)

rows = torch.export.Dim("rows")
torch.export.export(Net(), (torch.randn(4, 8),), dynamic_shapes={"x": {0: rows}})  # <- AOTI304
