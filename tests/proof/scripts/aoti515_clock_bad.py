import time

import torch


@torch.compile(fullgraph=True, backend="eager")
def step(x):
    begun = time.perf_counter()  # <- AOTI515
    return x * 2, begun


step(torch.ones(3))
