import torch


class Net(torch.nn.Module):
    def forward(self, x):
        assert (x < 99).all()  # <- AOTI325
        return x + 1


program = torch.export.export(Net(), (torch.randn(4, 8),))
print(len(program.graph.nodes) > 1, "exported")
