import torch

torch.compile(torch.sin, mode="max-autotune-no-cudagraphs")
torch.compile(torch.sin, mode="lite", dynamic=None)
run = torch.compile(torch.sin, backend="eager", mode="default", dynamic=True)
print("ran", run(torch.zeros(2)).tolist())
