import os

import torch

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
device = "cuda" if torch.cuda.is_available() else "cpu"
program = torch.export.export(torch.nn.Linear(8, 4).to(device), (torch.randn(2, 8),))
print("device", program.module()(torch.randn(2, 8)).device)
