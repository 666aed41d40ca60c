import torch
from torch import nn

import settings


class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = nn.EmbeddingBag(1000, 16, mode="mean")
        self.item = nn.Embedding(5000, 16)

    def forward(self, users, items):
        return (self.user(users).unsqueeze(1) * self.item(items)).sum(-1)


if __name__ == "__main__":
    net = Ranker().to(settings.DEVICE).eval()
    users = torch.randint(0, 1000, (4, 6), device=settings.DEVICE)
    items = torch.randint(0, 5000, (4, 50), device=settings.DEVICE)
    b = torch.export.Dim("b", max=settings.MAX_BATCH)
    ep = torch.export.export(net, (users, items), dynamic_shapes=({0: b}, {0: b}))
    torch._inductor.aoti_compile_and_package(ep, package_path=settings.PACKAGE)
