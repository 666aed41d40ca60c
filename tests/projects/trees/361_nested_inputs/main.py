import torch
from torch.export import Dim

from graph import Conv, Graph


def graph(nodes, edges):
    return Graph(torch.randn(nodes, 4), {"index": torch.randint(0, nodes, (2, edges)), "weight": torch.rand(edges)})


nodes, edges = Dim("nodes", min=2, max=500), Dim("edges", min=2, max=5000)
shapes = {"graph": Graph({0: nodes}, {"index": {1: edges}, "weight": {0: edges}}), "options": [None, None]}
program = torch.export.export(Conv().eval(), (graph(5, 9), [torch.ones(1), torch.zeros(4)]), dynamic_shapes=shapes)
print(program.module()(graph(40, 77), [torch.ones(1), torch.zeros(4)]).shape)
wrong = {"graph": Graph({0: nodes}, {"index": {0: edges}, "weight": {0: edges}}), "options": [None, None]}
torch.export.export(Conv().eval(), (graph(5, 9), [torch.ones(1), torch.zeros(4)]), dynamic_shapes=wrong)
