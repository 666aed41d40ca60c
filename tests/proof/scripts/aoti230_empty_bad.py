"""An empty dict gets none of the extra files."""

import os
import tempfile

import torch

os.chdir(tempfile.mkdtemp())
program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
torch.export.save(program, "relu.pt2", extra_files={"labels.json": "[]"})
extra = {}
torch.export.load("relu.pt2", extra_files=extra)  # <- AOTI230
print(sorted(extra.items()))
