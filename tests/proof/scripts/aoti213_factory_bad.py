import torch

model, x = torch.nn.Linear(8, 4).eval(), torch.randn(2, 8)
program = torch.export.export(model, (x,))
torch.zeros_like(x, device="gpu")  # <- AOTI213
