import torch


class Net(torch.nn.Module):
    def forward(self, x):
        assert (x < 99).all()
        return x + 1


program = torch.export.export(Net(), (torch.randn(4, 8),), strict=True)
print(len(program.graph.nodes) > 1, "exported")
