import torch

model = torch.compile(torch.nn.Linear(3, 8), backend="eager")
model(torch.randn(2, 4))  # <- AOTI522
