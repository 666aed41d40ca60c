import torch

model = torch.nn.Linear(8, 64)
program = torch.export.export(model, (torch.randn(2, 8),))
model.load_state_dict(torch.nn.Linear(8, 64).state_dict())
x = torch.randn(2, 8)
print("the same:", torch.allclose(program.module()(x), model(x)))
