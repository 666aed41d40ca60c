import torch

program = torch.export.export(torch.nn.Dropout(0.5).eval(), (torch.randn(2, 4),))
model, x = program.module(), torch.randn(2, 4)
print("same", torch.equal(model(x), x))
