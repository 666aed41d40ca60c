import torch
from torch import nn

from accelerator import Accelerator

accelerator = Accelerator()
model, example = accelerator.prepare(nn.Linear(4, 4), torch.randn(2, 4))
program = torch.export.export(accelerator.unwrap_model(model).eval(), (example,))
print(program.module()(torch.ones(2, 4, device=accelerator.device)).shape)
model = accelerator.prepare(nn.Linear(4, 4))
host = Accelerator(cpu=True)
torch.export.export(model.eval(), (host.prepare(torch.randn(2, 4)),))
