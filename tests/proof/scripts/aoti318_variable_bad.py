import torch

model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
dynamic_shapes = {"input": {0: torch.export.Dim("rows")}}  # <- AOTI318
program = torch.export.export(model, (x,))
print(program.range_constraints, "static")
