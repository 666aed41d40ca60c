import torch

model, x = torch.nn.Linear(8, 2).eval(), torch.randn(5, 8)
half = torch.export.Dim("half")
torch.export.export(model, (x,), dynamic_shapes={"input": {0: 2 * half}})  # <- AOTI313
