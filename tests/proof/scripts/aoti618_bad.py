import torch

program = torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.ones(2, 8),))
torch.save({"program": program, "epoch": 1}, "linear.pt")  # <- AOTI618
torch.load("linear.pt", weights_only=False)
