import torch

model = torch.nn.Linear(8, 2).compile(backend="eager")  # <- AOTI527
model(torch.ones(2, 8))
