import torch

model = torch.compile(torch.nn.Linear(3, 8), backend="eager")
print("shape", tuple(model(torch.randn(2, 3)).shape))
