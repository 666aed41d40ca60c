import torch
from torch import nn

from dynamic import all_auto, batch_only


class Scale(nn.Module):
    def forward(self, x, k, y=None):
        return x * k if y is None else x * k + y


args = (torch.randn(4, 3), 2.0, torch.randn(4, 3))
for shapes in (all_auto(args), batch_only(args)):
    run = torch.export.export(Scale(), args, dynamic_shapes=shapes).module()
    print(run(torch.randn(9, 3), 2.0, torch.randn(9, 3)).shape)
