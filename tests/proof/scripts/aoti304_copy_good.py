import torch
from torch.export import Dim, ShapesCollection


class Net(torch.nn.Module):
    def forward(self, batch):
        return batch["x"] * 2


batch = {"x": torch.randn(4, 8)}
shapes = ShapesCollection()
shapes[batch["x"].contiguous()] = {0: Dim("rows")}
program = torch.export.export(Net(), (batch,), dynamic_shapes=shapes)
print(list(program.module()({"x": torch.randn(9, 8)}).shape))
