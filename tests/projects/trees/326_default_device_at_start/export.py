import bootstrap  # noqa: F401

import torch
from torch import nn

net = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 1)).eval()
program = torch.export.export(net, (torch.randn(8, 10),), dynamic_shapes=({0: torch.export.Dim("rows", min=2)},))
torch._inductor.aoti_compile_and_package(program, package_path="price.pt2")
