"""A copy has no mark: a second size compiles again."""

import torch

graphs = []


def counting(graph, inputs):
    graphs.append(graph)
    return graph.forward


double = torch.compile(lambda x: x * 2, backend=counting)
x = torch.randn(4, 8)
torch._dynamo.mark_dynamic(x, 0)
double(x.clone())  # <- AOTI520
double(torch.randn(6, 8))
print("compiled", len(graphs))
