import torch

net = torch.nn.Linear(4, 2)
program, report = torch.export.draft_export(net, (torch.randn(3, 4),))  # <- AOTI223
