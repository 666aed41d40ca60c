"""A limit on the number of rows that the model looks at itself."""
import torch
from torch import nn


class Capped(nn.Module):
    def __init__(self, inner, max_rows):
        super().__init__()
        self.inner, self.max_rows = inner, max_rows

    def forward(self, rows):
        if rows.shape[0] > self.max_rows:
            rows = rows[: self.max_rows]
        return self.inner(rows)


class Checked(nn.Module):
    def __init__(self, inner, width):
        super().__init__()
        self.inner, self.width = inner, width

    def forward(self, rows):
        if rows.shape[-1] != self.width:
            raise ValueError(f"{rows.shape[-1]} columns where {self.width} belong")
        return self.inner(rows)
