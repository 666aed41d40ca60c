import torch


class Net(torch.nn.Module):
    def forward(self, x):
        half = x.shape[1] // 2
        return torch.cat([x[:, half:], x[:, :half]], 1)  # <- AOTI327


length = torch.export.Dim("length", min=4, max=512)
torch.export.export(Net(), (torch.randn(3, 10),), dynamic_shapes={"x": {1: length}})
