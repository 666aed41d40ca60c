import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.embed = nn.Embedding(100, width)
        self.head = nn.Linear(width, 5)

    def forward(self, tokens):
        return self.head(self.embed(tokens))


class Ranker(Tagger):
    def forward(self, tokens):
        return super().forward(tokens).amax(1)
