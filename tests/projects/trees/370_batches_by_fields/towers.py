import torch
from torch import nn


class Single(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 8)

    def encode(self, ids, mask):
        return (self.embed(ids) * mask.unsqueeze(-1)).sum(1)

    def forward(self, input_ids, mask):
        return self.encode(input_ids, mask)


class Pair(Single):
    def forward(self, input_ids, mask, other_ids):
        return (self.encode(input_ids, mask) * self.encode(other_ids, mask)).sum(-1)
