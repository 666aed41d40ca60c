import torch

model, x = torch.nn.ReLU().eval(), torch.randn(4, 8)
program = torch.export.export(model, (x,), dynamic_shapes={"input": {-1: torch.export.Dim.DYNAMIC}})  # <- AOTI306
print(program.range_constraints)
