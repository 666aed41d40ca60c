import torch


class Net(torch.nn.Module):
    def forward(self, x):
        rows = torch.nonzero(x[0] > 0).squeeze(1)
        kept, values = x[x > 0], torch.unique(x)
        if rows.numel() > 300:  # there are no more than 100
            rows = rows[:300]
        if 0 > kept.shape[0] or values.numel() <= 200:
            return x[:, rows].sum() + kept.sum()
        return x.sum()


program = torch.export.export(Net(), (torch.randn(2, 100),))
print(len(program.graph.nodes) > 1, "exported")
