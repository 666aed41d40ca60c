import torch

program = torch.export.export(torch.nn.Linear(8, 4).eval(), (torch.ones(2, 8),))
torch.export.save(program, "linear.pt2")
torch.save(program.state_dict, "weights.pt")
again = torch.export.load("linear.pt2")
print("shape", again.module()(torch.ones(2, 8)).shape, len(torch.load("weights.pt")))
