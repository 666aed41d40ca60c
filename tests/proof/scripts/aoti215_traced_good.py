"""TorchScript traces the model inside a compiled one, and a compiled one where the settings say so."""

import torch

model = torch.compile(torch.nn.Linear(4, 4))
torch.jit.trace(torch.compile(torch.nn.Linear(4, 4), disable=True), torch.randn(2, 4))
print("traced", type(torch.jit.trace(model._orig_mod, torch.randn(2, 4))).__name__)
