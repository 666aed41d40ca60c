import torch

torch.save(torch.nn.Linear(8, 4), "linear.pt")
model = torch.load("linear.pt", weights_only=False)
torch.save(model.state_dict(), "weights.pt")
model.load_state_dict(torch.load("weights.pt"))
program = torch.export.export(model.eval(), (torch.ones(2, 8),))
print("shape", program.module()(torch.ones(2, 8)).shape)
