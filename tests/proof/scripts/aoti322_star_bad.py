import torch


class Net(torch.nn.Module):
    def forward(self, x, *others):
        return x + others[0]  # <- AOTI322


rows, other = torch.export.Dim("rows"), torch.export.Dim("other")
example = (torch.randn(4, 8), torch.randn(4, 8))
torch.export.export(Net(), example, dynamic_shapes=({0: rows}, ({0: other},)))
