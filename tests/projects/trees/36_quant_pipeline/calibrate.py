"""Calibration: capture, observe, hand on."""
import torch
import torch._export
import torch.nn as nn


class Stem(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 4, 3)

    def forward(self, x):
        return self.conv(x).relu()


def capture(model, sample):
    return torch._export.capture_pre_autograd_graph(model, (sample,))


def observe(graph, count=4):
    low, high = float("inf"), float("-inf")
    for _ in range(count):
        out = graph(torch.randn(3, 2, 30))
        low, high = min(low, out.min().item()), max(high, out.max().item())
    return low, high


if __name__ == "__main__":
    print(observe(capture(Stem().eval(), torch.randn(3, 2, 30))))
