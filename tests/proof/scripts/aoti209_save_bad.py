import torch

program = torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.randn(2, 8),))
torch.export.save(program, "no/such/folder/model.pt2")  # <- AOTI209
