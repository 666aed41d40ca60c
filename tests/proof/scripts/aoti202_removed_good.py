import torch

if hasattr(torch.export, "export_for_training"):
    program = torch.export.export_for_training(torch.nn.ReLU(), (torch.randn(4, 8),))
else:
    program = torch.export.export(torch.nn.ReLU(), (torch.randn(4, 8),))
print("program", type(program).__name__)
