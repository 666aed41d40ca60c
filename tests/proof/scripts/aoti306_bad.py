import torch

model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
rows = torch.export.Dim("rows")
torch.export.export(model, (x,), dynamic_shapes={"input": {2: rows}})  # <- AOTI306
