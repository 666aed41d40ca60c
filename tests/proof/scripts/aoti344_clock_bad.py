import time

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        begun = time.perf_counter()  # <- AOTI344
        y = x * 2
        self.took = time.perf_counter() - begun
        return y


torch.export.export(Net(), (torch.randn(4),), strict=True)
