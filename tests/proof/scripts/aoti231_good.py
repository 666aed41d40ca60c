"""A text can be saved, and comes back."""

import json
import os
import tempfile

import torch

os.chdir(tempfile.mkdtemp())
program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
torch.export.save(program, "relu.pt2", extra_files={"labels.json": json.dumps(["cat", "dog"])})
extra = {"labels.json": ""}
torch.export.load("relu.pt2", extra_files=extra)
print(extra["labels.json"])
