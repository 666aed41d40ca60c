import torch


class Net(torch.nn.Module):
    def forward(self, x):
        aligned = x.data_ptr() % 64 == 0  # <- AOTI326
        return x + aligned


program = torch.export.export(Net(), (torch.randn(4, 8),))
print(len(program.graph.nodes) > 1, "exported")
