import torch

model = torch.nn.Linear(8, 2)
model.compile(backend="eager")
print("shape", model(torch.ones(2, 8)).shape)
