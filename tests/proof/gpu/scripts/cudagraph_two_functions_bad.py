import torch


def step(x):
    return torch.relu(x * 2 + 1)


run = torch.compile(step, mode="reduce-overhead")
xs = [torch.full((4,), float(i), device="cuda") for i in range(4)]
other = torch.compile(lambda x: torch.cos(x), mode="reduce-overhead")
first = run(xs[0])
second = other(xs[1])
print("ran", flush=True)
print("sum", (first + second).sum().item())  # <- AOTI514
