import torch

program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
print("exported")
model = torch.export.load(program).module()  # <- AOTI227
