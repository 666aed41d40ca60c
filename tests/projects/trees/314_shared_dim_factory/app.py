import torch
from torch import nn

from dims import dim, fresh


class Attend(nn.Module):
    def forward(self, query, key, value):
        return nn.functional.scaled_dot_product_attention(query, key, value)


def inputs(batch, q, kv, width=8):
    return tuple(torch.randn(batch, n, width) for n in (q, kv, kv))


one = {0: dim("batch"), 1: dim("source")}
program = torch.export.export(Attend(), inputs(2, 5, 7), dynamic_shapes=({0: dim("batch"), 1: dim("target")}, one, one))
print(program.module()(*inputs(4, 3, 9)).shape)
torch.export.export(
    Attend(),
    inputs(2, 5, 7),
    dynamic_shapes=({0: fresh("batch", 16), 1: dim("target")}, {0: fresh("batch", 32), 1: dim("source")}, one),
)
