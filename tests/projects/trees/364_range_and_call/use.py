import torch

from settings import ROWS

run = torch.export.load("rows.pt2").module()
print(run(torch.randn(ROWS["max"], 4)).shape)
print(run(torch.randn(ROWS["max"] + 1, 4)).shape)
