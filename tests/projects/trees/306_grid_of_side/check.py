import sys

import torch

from build import build

for recipe in sys.argv[1:] or ("fixed", "rows"):
    print(recipe, build(recipe).module()(torch.randn(5, 36, 8)).shape)
print(build("free").module()(torch.randn(5, 64, 8)).shape)
