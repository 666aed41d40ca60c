import torch
from torch.export import Dim

from ops import Careful

program = torch.export.export(
    Careful(8).eval(),
    (torch.randn(3, 10, 8),),
    dynamic_shapes={"tokens": {0: Dim("b", min=2, max=99), 1: Dim("n", min=4, max=4096)}},
)
print(program.module()(torch.randn(5, 33, 8)).shape)
