import os

import torch

print("available", torch.cuda.is_available())
os.environ["CUDA_VISIBLE_DEVICES"] = ""
model = torch.nn.Linear(8, 4).cuda()
program = torch.export.export(model, (torch.randn(2, 8, device="cuda"),))
print("program", type(program).__name__)
