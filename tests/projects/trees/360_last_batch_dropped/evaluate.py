import torch
from torch import nn

from data import loader

BATCH = 8
static = torch.export.export(nn.Linear(7, 2).eval(), (torch.randn(BATCH, 7),)).module()
for rows, _ in loader(batch=BATCH):
    static(rows)
free = torch.export.export(nn.Linear(7, 2).eval(), (torch.randn(BATCH, 7),), dynamic_shapes=({0: torch.export.Dim.AUTO},)).module()
for rows, _ in loader(batch=BATCH, drop_last=False):
    free(rows)
print("done")
