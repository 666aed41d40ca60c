import torch

torch.save({"model": torch.nn.Linear(8, 4), "epoch": 1}, "linear.pt")
model = torch.load("linear.pt")["model"]  # <- AOTI617
torch.export.export(model.eval(), (torch.ones(2, 8),))
