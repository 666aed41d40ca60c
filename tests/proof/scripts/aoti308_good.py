import torch

model, x = torch.nn.Linear(8, 2).eval(), torch.randn(8, 8)
rows = torch.export.Dim("rows", min=8, max=64)
torch.export.export(model, (x,), dynamic_shapes={"input": (rows, 8)})
