import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


batch = torch.export.Dim("batch", min=4, max=16)
program = torch.export.export(Net(), (torch.randn(8, 4),), dynamic_shapes={"x": {0: batch}})
print(tuple(program.module()(torch.randn(3, 4)).shape))  # <- AOTI333
