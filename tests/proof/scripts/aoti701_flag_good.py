import torch

model = torch.nn.Sequential(torch.nn.Linear(8, 64), torch.nn.Dropout(0.5))
model.train(False)
x = torch.randn(4, 8)
program = torch.export.export(model, (x,))
torch.export.save(program, "program.pt2")
run = torch.export.load("program.pt2").module()
print("two runs agree", torch.equal(run(x), run(x)))
try:
    run.eval()
except NotImplementedError as error:
    print(error)
