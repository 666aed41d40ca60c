import torch


class Row(torch.nn.Module):
    def forward(self, x, i):
        torch._check(i < x.shape[0])  # <- AOTI722
        return x[i]


torch.export.export(Row(), (torch.randn(5, 2), torch.tensor(3)))
