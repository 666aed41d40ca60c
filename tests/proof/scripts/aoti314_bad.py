import torch

model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
shapes = {"input": {0: torch.export.Dim("rows")}}
program = torch.export.export(model, (x,), dynamic_shapes=shapes)
again = torch.export.export(program.module(), (x,))  # <- AOTI314
print(program.range_constraints, again.range_constraints)
