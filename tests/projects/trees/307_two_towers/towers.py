import torch
from torch import nn


class Tower(nn.Module):
    def __init__(self, features, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width))

    def forward(self, x):
        return nn.functional.normalize(self.net(x), dim=-1)


class Retrieval(nn.Module):
    """Scores each query with each document."""

    def __init__(self, width=8):
        super().__init__()
        self.query, self.document = Tower(12, width), Tower(20, width)

    def forward(self, queries, documents):
        return self.query(queries) @ self.document(documents).T


class Ranking(Retrieval):
    """Scores each query with its own document."""

    def forward(self, queries, documents):
        return (self.query(queries) * self.document(documents)).sum(-1)
