import torch
from torch import nn

from hooks import Trainer, export_static

batches = [(torch.randn(6, 4),) for _ in range(3)]
free = Trainer(nn.Linear(4, 2)).fit(batches)
print(free.exported(torch.randn(2, 4)).shape)
fixed = Trainer(nn.Linear(4, 2), export_fn=export_static).fit(batches)
print(fixed.exported(torch.randn(6, 4)).shape)
print(fixed.exported(torch.randn(2, 4)).shape)
