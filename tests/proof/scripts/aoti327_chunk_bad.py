import torch


class Net(torch.nn.Module):
    def forward(self, x):
        left, right = x.chunk(2, 1)  # <- AOTI327
        return left * right.sigmoid()


length = torch.export.Dim("length", min=4, max=512)
torch.export.export(Net(), (torch.randn(3, 10),), dynamic_shapes={"x": {1: length}})
