"""It gave six values in torch 2.0."""

import torch

explanation, guards, graphs, ops, reasons, told = torch._dynamo.explain(torch.sin, torch.ones(2))  # <- AOTI223
