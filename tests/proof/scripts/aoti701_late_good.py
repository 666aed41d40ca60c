import torch

model, x = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout(0.5)), torch.ones(2, 8)
model.eval()
program = torch.export.export(model, (x,))
model.eval()
run = program.module()
print("alike:", torch.equal(run(x), run(x)))
