import torch
from torch import nn

from buckets import Buckets

serve = Buckets(nn.Linear(5, 2).eval(), (4, 16, 64), 5)
for count in (1, 3, 16, 50):
    print(count, serve(torch.randn(count, 5)).shape)
