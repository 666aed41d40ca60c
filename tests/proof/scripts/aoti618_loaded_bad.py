import torch

torch.export.save(torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.ones(2, 8),)), "linear.pt2")
torch.save(torch.export.load("linear.pt2"), "loaded.pt")  # <- AOTI618
torch.load("loaded.pt", weights_only=False).module()
