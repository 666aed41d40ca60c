import torch
from torch import nn

from data import batches, to_device


class Ctr(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.EmbeddingBag(100, 8)
        self.dense = nn.Linear(13, 8)

    def forward(self, dense, sparse):
        return (self.dense(dense) * self.table(sparse)).sum(-1)


model = Ctr().cuda().eval()
(batch,) = batches(1)
program = torch.export.export(model, (), to_device(batch, "cuda"))
torch._inductor.aoti_compile_and_package(program, package_path="ctr.pt2")
