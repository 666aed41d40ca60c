"""A backend is called with the graph and its example inputs."""

import torch


def backend(graph):
    return graph.forward


torch.compile(torch.nn.Linear(2, 2), backend=backend)(torch.ones(1, 2))  # <- AOTI512
