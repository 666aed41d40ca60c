"""With dynamic=False each size needs code of its own: beyond the limit the function runs without being compiled."""

import torch

ran = []


def backend(graph, inputs):
    ran.append(inputs[0].shape[0])
    return graph.forward


double = torch.compile(lambda x: x * 2, backend=backend, dynamic=False)
for rows in range(2, 14):
    double(torch.randn(rows, 8))  # <- AOTI720
print("compiled for", ran)
