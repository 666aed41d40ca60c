import torch
from torch._higher_order_ops.map import map as map_rows


class Rows(torch.nn.Module):
    def forward(self, xs):
        return map_rows(xs, lambda row: row.relu())  # <- AOTI342


torch.export.export(Rows(), (torch.randn(5, 3),))
