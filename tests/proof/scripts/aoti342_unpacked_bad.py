"""The functions of torch.cond take the operand for a tuple of operands, outside of an export."""

import torch


def doubled(operands):
    (x,) = operands
    return x * 2


x = torch.randn(6, 3)
torch.cond(x.sum() > 0, doubled, doubled, (x,))  # <- AOTI342
