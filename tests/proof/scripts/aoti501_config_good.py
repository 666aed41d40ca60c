"""`import torch` alone does not import torch._inductor.config: the variable is in time."""

import os

import torch

os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"
program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
print("nan asserts", torch._inductor.config.nan_asserts)
