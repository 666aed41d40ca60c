"""TorchScript is to trace what torch.compile gave."""

import torch

model = torch.compile(torch.nn.Linear(4, 4))
torch.jit.trace(model, torch.randn(2, 4))  # <- AOTI215
