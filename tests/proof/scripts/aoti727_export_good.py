import torch

model, x = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.LazyLinear(3)).eval(), torch.randn(1, 2, 4)
with torch.no_grad():
    model(x)
program = torch.export.export(model, (x,))
print("exported", program.module()(x).shape)
