import torch
from torch import nn

program = torch.export.export(nn.Linear(3, 3).cuda().eval(), (torch.randn(2, 3).cuda(),))
torch._inductor.aoti_compile_and_package(program, package_path="tiny.pt2")
