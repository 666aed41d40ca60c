import torch


def step(x):
    return torch.relu(x * 2 + 1)


run = torch.compile(step, mode="reduce-overhead")
xs = [torch.full((4,), float(i), device="cuda") for i in range(4)]
for n in (3, 5, 7, 9):
    y = run(torch.ones(n, device="cuda"))
    if n == 3:
        first = y
print("ran", flush=True)
print("sum", first.sum().item())  # <- AOTI514
