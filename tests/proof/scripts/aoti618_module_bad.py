import torch

program = torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.ones(2, 8),))
torch.save(program.module(), "linear.pt")  # <- AOTI618
