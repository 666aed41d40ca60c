import torch

program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
with open("model.pt2", "wb") as file:
    torch.export.save(program, file)
with open("model.pt2", "rb") as file:
    print("shape", tuple(torch.export.load(file).module()(torch.randn(8, 10)).shape))
