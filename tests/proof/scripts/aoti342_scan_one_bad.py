import torch
from torch._higher_order_ops.scan import scan


class Sums(torch.nn.Module):
    def forward(self, xs):
        def step(carry, x):
            return torch.tanh(carry + x)

        _, rows = scan(step, torch.zeros_like(xs[0]), xs, dim=0)  # <- AOTI342
        return rows


torch.export.export(Sums(), (torch.randn(6, 3),))
