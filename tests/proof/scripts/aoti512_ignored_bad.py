import torch

run = torch.compile(torch.sin, backend="eager", mode="reduce-overhead")  # <- AOTI512
print("ran", run(torch.zeros(2)).tolist())
