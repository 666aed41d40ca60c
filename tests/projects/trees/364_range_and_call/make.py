import torch
from torch import nn

from settings import ROWS

dim = torch.export.Dim("rows", min=ROWS["min"], max=ROWS["max"])
program = torch.export.export(nn.Linear(4, 1).eval(), (torch.randn(ROWS["example"], 4),), dynamic_shapes=({0: dim},))
torch.export.save(program, "rows.pt2")
