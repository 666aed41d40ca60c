import torch

program = torch.export.export_for_training(torch.nn.ReLU(), (torch.randn(4, 8),))  # <- AOTI202
