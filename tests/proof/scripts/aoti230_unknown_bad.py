"""An extra file that the program was not saved with stays the empty text it was, and nothing is said."""

import os
import tempfile

import torch

os.chdir(tempfile.mkdtemp())
program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
torch.export.save(program, "relu.pt2", extra_files={"labels.json": "[]"})
extra = {"label.json": ""}
torch.export.load("relu.pt2", extra_files=extra)  # <- AOTI230
print(sorted(extra.items()))
