import torch


def step(x):
    return torch.relu(x * 2 + 1)


run = torch.compile(step, mode="reduce-overhead")
xs = [torch.full((4,), float(i), device="cuda") for i in range(4)]
kept = []
for x in xs:
    torch.compiler.cudagraph_mark_step_begin()
    kept.append(run(x))
print("ran", flush=True)
print("sum", torch.stack(kept).sum().item())  # <- AOTI514
