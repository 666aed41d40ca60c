import torch


class Net(torch.nn.Module):
    def forward(self, x):
        rows = x.nonzero()
        if rows.shape[0] > 3:  # <- AOTI325
            return rows.sum()
        return x.sum()


program = torch.export.export(Net(), (torch.randn(4, 8),))
print(len(program.graph.nodes) > 1, "exported")
