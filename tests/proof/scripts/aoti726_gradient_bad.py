import torch

model = torch.nn.Linear(4, 2).eval()
with torch.no_grad():
    program = torch.export.export(model, (torch.randn(1, 4),))
predict = program.module()
print(predict(torch.randn(1, 4)).numpy())  # <- AOTI726
