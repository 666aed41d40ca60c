import torch
from torch import nn

from gpus import TRAIN, cuda

model = nn.Linear(16, 2).eval().to(cuda(TRAIN))
program = torch.export.export(model, (torch.randn(4, 16, device=cuda(TRAIN)),))
torch._inductor.aoti_compile_and_package(program, package_path="head.pt2")
