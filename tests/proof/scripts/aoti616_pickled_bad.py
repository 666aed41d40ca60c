import torch

model = torch.nn.Linear(8, 4)
program = torch.export.export(model, (torch.randn(2, 8),))
torch.save(program.state_dict, "model.pt2")
torch.export.load("model.pt2")  # <- AOTI616
