"""A product of two dimensions."""

import torch

rows, columns = torch.export.dims("rows", "columns")
cells = rows * columns  # <- AOTI341
