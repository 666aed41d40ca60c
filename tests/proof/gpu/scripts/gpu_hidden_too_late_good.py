import os

import torch

x = torch.randn(2, 8, device="cuda")
os.environ["CUDA_VISIBLE_DEVICES"] = ""
program = torch.export.export(torch.nn.Linear(8, 4).cuda(), (x,))
print("device", program.module()(x).device)
