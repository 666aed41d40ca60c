import torch

rows = torch.export.Dim("rows", max=64)  # <- AOTI319
program = torch.export.export(torch.nn.Linear(8, 2).eval(), (torch.randn(4, 8),))
print(program.range_constraints, "static")
