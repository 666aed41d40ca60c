import torch

torch.compile(torch.sin, options={"max-autotune": True, "triton.cudagraphs": False})
torch.compile(torch.sin, options={"guard_filter_fn": lambda guards: [True for _ in guards]})
print("taken")
