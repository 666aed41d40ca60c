import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * 2


rows = torch.export.Dim("rows")
model = torch.compile(Net())
program = torch.export.export(model, (torch.randn(4, 8),), dynamic_shapes=({0: rows},))  # <- AOTI305
print("called", program.module()(torch.randn(5, 8)).shape)
