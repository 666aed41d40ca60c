"""What goes into one graph: other random numbers, functional gradients, what is computed before."""

import random
import time

import torch


def loss(x):
    return (x * x).sum()


@torch.compile(fullgraph=True, backend="eager")
def step(x, now):
    torch.seed()
    if not torch.compiler.is_compiling():
        print(time.time())
    return torch.func.grad(loss)(x) * random.randint(1, 2) + torch.rand(3) + now


@torch.compile(backend="eager")
def broken(x):
    return x * time.time()


step(torch.ones(3), time.time())
broken(torch.ones(3))
torch.manual_seed(0)
print("ran")
