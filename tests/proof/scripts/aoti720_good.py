"""A count in a buffer, and sizes that torch may leave open, need no code of their own."""

import torch


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        self.calls += 1
        return x * 2


counter = Counter()
run = torch.compile(counter, backend="eager", fullgraph=True)
double = torch.compile(lambda x: x * 2, backend="eager", fullgraph=True)
for rows in range(2, 14):
    run(torch.randn(4, 8))
    double(torch.randn(rows, 8))
print("counted", counter.calls.item())
