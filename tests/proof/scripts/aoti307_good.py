import torch

model, x = torch.nn.Linear(8, 2).eval(), torch.randn(4, 8)
torch.export.export(model, (x,), dynamic_shapes={"input": {0: torch.export.Dim("rows")}})
