import torch
from torch import nn

from modes import evaluating

model = nn.Sequential(nn.Conv1d(2, 4, 3), nn.BatchNorm1d(4), nn.ReLU())
example = (torch.randn(4, 2, 20),)
with evaluating(model):
    inside = torch.export.export(model, example)
outside = torch.export.export(model, example)
for name, program in {"inside": inside, "outside": outside}.items():
    torch.export.save(program, f"{name}.pt2")
