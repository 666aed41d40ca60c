import torch

program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
torch.export.save(program, "model.pt2")
print("shape", tuple(torch.export.load("model.pt2").module()(torch.randn(8, 10)).shape))
