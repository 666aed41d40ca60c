import torch

model = torch.nn.Linear(8, 64)
program = torch.export.export(model, (torch.randn(2, 8),))
model.load_state_dict({"weight": torch.ones(64, 8), "bias": torch.ones(64)}, assign=True)  # <- AOTI715
x = torch.randn(2, 8)
print("the same:", torch.allclose(program.module()(x), model(x)))
