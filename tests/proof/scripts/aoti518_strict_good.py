"""An option that is on or off decides how the model is exported."""

import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--strict", action=argparse.BooleanOptionalAction, default=True)
options = parser.parse_args()
torch.export.export(torch.nn.Linear(8, 2), (torch.randn(4, 8),), strict=options.strict)
print("off is", parser.parse_args(["--no-strict"]).strict)
