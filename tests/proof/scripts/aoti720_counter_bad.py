"""A compiled module counts its calls in an int: each call needs code of its own, and the ninth raises."""

import torch


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * 2


run = torch.compile(Counter(), backend="eager", fullgraph=True)
for number in range(10):
    print("call", number, flush=True)
    run(torch.randn(4, 8))  # <- AOTI720
