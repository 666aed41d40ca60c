"""The variable is set after the export has imported torch._inductor.config: the setting stays off."""

import os

import torch

program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"  # <- AOTI501
print("nan asserts", torch._inductor.config.nan_asserts)
