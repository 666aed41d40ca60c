import torch
from torch import nn


class Fuse(nn.Module):
    def __init__(self, widths, out=4):
        super().__init__()
        self.heads = nn.ModuleList(nn.Linear(w, out) for w in widths)

    def forward(self, *views, scale=None):
        total = sum(head(view) for head, view in zip(self.heads, views))
        return total if scale is None else total * scale
