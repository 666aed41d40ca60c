import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


rows = torch.export.Dim("rows")
example = (torch.randn(4, 8),)
program = torch.export.export(Net(), example, dynamic_shapes={"x": {0: rows}})
flat = torch.export.unflatten(program)
again = torch.export.export(flat, example, dynamic_shapes=(({0: rows},),))
print("called", again.module()(torch.randn(5, 8)).shape)
