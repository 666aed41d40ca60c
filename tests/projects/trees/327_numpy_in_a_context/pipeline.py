import numpy as np
import torch
from torch import nn

from places import on


def load_rows(count):
    return np.zeros((count, 12), dtype=np.float32)


with on("cuda") as device:
    model = nn.Linear(12, 4).eval()
    program = torch.export.export(model, (torch.empty(6, 12),))
    run = program.module()
    print(run(torch.from_numpy(load_rows(6)).to(device)).shape)
    print(run(torch.tensor(load_rows(6))).shape)
    print(run(torch.from_numpy(load_rows(6))).shape)
