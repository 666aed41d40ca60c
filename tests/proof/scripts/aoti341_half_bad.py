"""Half of a dimension."""

import torch

rows = torch.export.Dim("rows", max=64)
half = rows // 2  # <- AOTI341
