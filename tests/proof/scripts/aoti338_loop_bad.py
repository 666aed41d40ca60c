import torch
from torch.export import Dim


class Steps(torch.nn.Module):
    def forward(self, x):
        return torch.stack([x[:, step] * step for step in range(x.shape[1])], 1)


both = {0: Dim.AUTO, 1: Dim.AUTO}
program = torch.export.export(Steps(), (torch.randn(3, 6),), dynamic_shapes={"x": both})
print("rows", program.module()(torch.randn(5, 6)).shape)
program.module()(torch.randn(3, 9))  # <- AOTI338
