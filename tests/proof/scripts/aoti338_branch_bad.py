import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] % 2 == 0:
            return x + 1
        return x - 1


rows = {0: torch.export.Dim.AUTO}
program = torch.export.export(Net(), (torch.randn(4, 8),), dynamic_shapes=(rows,))
print("shape", program.module()(torch.randn(5, 8)).shape)  # <- AOTI338
