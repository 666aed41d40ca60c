import torch
from torch.export import Dim

from rotate import Rotate

batch, half = Dim("batch", min=2, max=99), Dim("half", min=2, max=512)
even = torch.export.export(Rotate(8), (torch.randn(3, 10, 8),), dynamic_shapes={"tokens": {0: batch, 1: 2 * half}})
print(even.module()(torch.randn(5, 32, 8)).shape)
torch.export.export(Rotate(8), (torch.randn(3, 10, 8),), dynamic_shapes={"tokens": {0: batch, 1: Dim("n", min=4, max=1024)}})
