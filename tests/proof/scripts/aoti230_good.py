"""What the program was saved with is read into the dict."""

import os
import tempfile

import torch

os.chdir(tempfile.mkdtemp())
program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
torch.export.save(program, "relu.pt2", extra_files={"labels.json": "[]"})
extra = {"labels.json": ""}
torch.export.load("relu.pt2", extra_files=extra)
print(sorted(extra.items()))
