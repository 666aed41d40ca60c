import torch


class Net(torch.nn.Module):
    def forward(self, x, *others):
        return x + others[0]


rows = torch.export.Dim("rows")
example = (torch.randn(4, 8), torch.randn(4, 8))
program = torch.export.export(Net(), example, dynamic_shapes=({0: rows}, ({0: rows},)))
print("called", program.module()(torch.randn(5, 8), torch.randn(5, 8)).shape)
