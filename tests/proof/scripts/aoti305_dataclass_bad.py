from dataclasses import dataclass

import torch


@dataclass
class Batch:
    x: torch.Tensor
    y: torch.Tensor


class Net(torch.nn.Module):
    def forward(self, batch):
        return batch.x + batch.y


torch.export.register_dataclass(Batch)
rows = torch.export.Dim("rows")
batch = Batch(torch.randn(4, 8), torch.randn(4, 8))
torch.export.export(Net(), (batch,), dynamic_shapes={"batch": Batch({0: rows}, {0: rows})})  # <- AOTI305
