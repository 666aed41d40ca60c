import torch


def exported(model, inputs, dynamic_shapes=None):  # <- AOTI318
    return torch.export.export(model, inputs)


model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
program = exported(model, (x,), {"input": {0: torch.export.Dim("rows")}})
print(program.range_constraints, "static")
