import torch

program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
torch.export.save(program, "model.pt2")
print("saved")
with open("model.pt2") as file:
    torch.export.load(file)  # <- AOTI234
