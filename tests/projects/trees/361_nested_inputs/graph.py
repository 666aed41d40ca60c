from typing import NamedTuple

import torch
from torch import nn


class Graph(NamedTuple):
    x: torch.Tensor
    edges: dict


class Conv(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.message = nn.Linear(width, width)

    def forward(self, graph, options):
        source, target = graph.edges["index"].unbind(0)
        sent = self.message(graph.x)[source] * graph.edges["weight"].unsqueeze(-1)
        out = torch.zeros_like(graph.x).index_add(0, target, sent)
        return out * options[0] + options[1]
