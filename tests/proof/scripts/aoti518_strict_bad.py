"""An option of `type=bool` is True whatever is given, and decides how the model is exported."""

import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--strict", type=bool, default=True)  # <- AOTI518
options = parser.parse_args()
torch.export.export(torch.nn.Linear(8, 2), (torch.randn(4, 8),), strict=options.strict)
print("False is", parser.parse_args(["--strict", "False"]).strict, "nothing is", parser.parse_args(["--strict", ""]).strict)
