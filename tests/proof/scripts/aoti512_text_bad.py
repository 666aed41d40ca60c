import torch

model = torch.nn.Linear(8, 4)
torch.compile("model", mode="max-autotune")  # <- AOTI512
