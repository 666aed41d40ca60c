import torch

program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
print("exported", flush=True)
with open("model.pt2", "w") as file:
    torch.export.save(program, file)  # <- AOTI234
