import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import torch

from layout import artifact

for rows in (2, 8):
    print(torch.export.load(artifact("m", rows=rows)).module()(torch.randn(rows, 4)).shape)
for rows in (1, 5):
    print(torch.export.load(artifact("m")).module()(torch.randn(rows, 4)).shape)
