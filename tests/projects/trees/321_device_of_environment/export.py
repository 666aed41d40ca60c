import os

import torch
from torch import nn

from settings import settings

model = nn.Linear(30, 5).to(settings.torch_device).eval()
example = torch.randn(8, 30, device=settings.torch_device)
program = torch.export.export(model, (example,), dynamic_shapes=({0: torch.export.Dim("n", min=2)},))
os.makedirs(settings.root, exist_ok=True)
torch._inductor.aoti_compile_and_package(program, package_path=os.path.join(settings.root, "tagger.pt2"))
