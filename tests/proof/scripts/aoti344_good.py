"""What a strict export takes, and what an export without it runs."""

import os
import random
import time

import torch


class Taken(torch.nn.Module):
    def forward(self, x):
        if not torch.compiler.is_compiling():
            print(time.time())
        print("traced", os.path.join("a", "b"), os.environ.get("HOME") is None, id(x) == 0)
        return x * 2


class Run(torch.nn.Module):
    def forward(self, x):
        begun = time.perf_counter()
        torch.manual_seed(0)
        y = x * random.uniform(0, 1)
        self.took = time.perf_counter() - begun
        return y


torch.export.export(Taken(), (torch.randn(4),), strict=True)
torch.export.export(Run(), (torch.randn(4),))
print("exported")
