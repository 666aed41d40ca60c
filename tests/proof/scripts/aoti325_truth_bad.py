import torch


class Net(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:  # <- AOTI325
            return x + 1
        return x - 1


program = torch.export.export(Net(), (torch.randn(4, 8),))
print(len(program.graph.nodes) > 1, "exported")
