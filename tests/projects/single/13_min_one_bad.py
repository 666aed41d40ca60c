"""min=1 does not make an example of one legal."""
import torch
from torch import nn
from torch.export import Dim


class Hop(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(5, 5)

    def forward(self, node, edge):
        return self.fc(node) + edge


n = Dim("n", min=1, max=1024)
example = torch.randn(3, 5), torch.randn(1, 5)
program = torch.export.export(Hop().eval(), example[::-1], dynamic_shapes={"node": {0: n}, "edge": None})
hop = program.module()
print(hop(torch.randn(1, 5), torch.randn(1, 5)).shape, hop(torch.randn(200, 5), example[1]).shape)
