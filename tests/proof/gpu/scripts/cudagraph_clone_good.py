import torch


def step(x):
    return torch.relu(x * 2 + 1)


run = torch.compile(step, mode="reduce-overhead")
xs = [torch.full((4,), float(i), device="cuda") for i in range(4)]
kept = [run(x).clone() for x in xs]
print("sum", torch.stack(kept).sum().item())
