import torch
from torch import nn

from regular import DropPath, MonteCarlo

example = (torch.randn(4, 6),)
programs = (
    torch.export.export(nn.Sequential(nn.Linear(6, 6), DropPath(0.2)).eval(), example),
    torch.export.export(nn.Sequential(nn.Linear(6, 6), DropPath(0.0)), example),
    torch.export.export(nn.Sequential(nn.Linear(6, 6), nn.LayerNorm(6), nn.Dropout(0.0)), example),
    torch.export.export(MonteCarlo(nn.Linear(6, 6)).eval(), example),
)
for number, program in enumerate(programs):
    torch.export.save(program, f"program{number}.pt2")
