import torch

program = torch.export.export(torch.nn.Linear(4, 2).eval(), (torch.randn(3, 4),))
print(tuple(program.module().to(torch.float64)(torch.randn(3, 4, dtype=torch.float64)).shape))
