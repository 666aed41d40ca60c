import torch


def exported(model, inputs, dynamic_shapes=None):
    return torch.export.export(model, inputs, dynamic_shapes=dynamic_shapes)


model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
program = exported(model, (x,), {"input": {0: torch.export.Dim("rows")}})
print(len(program.range_constraints), "dynamic")
