from __future__ import annotations

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

B = 16


def padded(rows):
    x = torch.stack([r[0] for r in rows])
    valid = torch.ones(B, dtype=torch.bool)
    if len(rows) < B:
        missing = B - len(rows)
        x = torch.cat([x, torch.zeros(missing, *x.shape[1:])])
        valid[len(rows):] = False
    return x, valid


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 3, 3, padding=1)

    def forward(self, x):
        return self.conv(x).amax(-1)


def main():
    data = TensorDataset(torch.randn(100, 2, 20))
    ep = torch.export.export(Net().eval(), (torch.zeros(B, 2, 20),))
    run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))
    total = 0
    for x, valid in DataLoader(data, batch_size=B, collate_fn=padded):
        total += len(run(x)[valid])
    print(total)


if __name__ == "__main__":
    main()
