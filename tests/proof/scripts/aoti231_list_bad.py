"""An extra file that is no text cannot be saved."""

import os
import tempfile

import torch

os.chdir(tempfile.mkdtemp())
program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
torch.export.save(program, "relu.pt2", extra_files={"labels.json": ["cat", "dog"]})  # <- AOTI231
