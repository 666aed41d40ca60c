import torch

program = torch.export.export(torch.nn.Dropout(0.5).eval(), (torch.randn(2, 4),))
model = program.module()
model.eval()  # <- AOTI710
