"""Capacity computed from the token count on one side only."""
import math

import torch
import torch.nn.functional as F
from torch import nn

EXPERTS = 4
FACTOR = 1.25


def capacity(tokens: int) -> int:
    return math.ceil(tokens / EXPERTS * FACTOR)


class Experts(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w = nn.Parameter(torch.randn(EXPERTS, dim, dim) / dim**0.5)

    def forward(self, x):
        return F.silu(torch.bmm(x, self.w))


dim, max_tokens = 16, 64
ep = torch.export.export(Experts(dim).eval(), (torch.empty(EXPERTS, capacity(max_tokens), dim),))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))
for tokens in (64, 32):
    slots = torch.zeros(EXPERTS, capacity(tokens), dim)
    print(run(slots).shape)
