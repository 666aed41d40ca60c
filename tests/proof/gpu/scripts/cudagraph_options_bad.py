import torch


def step(x):
    return torch.relu(x * 2 + 1)


run = torch.compile(step, options={"triton.cudagraphs": True})
xs = [torch.full((4,), float(i), device="cuda") for i in range(4)]
first = run(xs[0])
second = run(xs[1])
print("ran", flush=True)
print("sum", first.tolist(), second.tolist())  # <- AOTI514
