import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


rows = torch.export.Dim("rows")
model = torch.compile(Net())
torch.export.export(model, (torch.randn(4, 8),), dynamic_shapes={"x": {0: rows}})  # <- AOTI304
