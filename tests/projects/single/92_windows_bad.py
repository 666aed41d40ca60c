"""Sliding windows over a long recording."""
from itertools import islice, pairwise
from typing import Iterator

import torch
from torch import nn

WINDOW, HOP, CHANNELS = 64, 16, 3


class Event(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(CHANNELS, 8, 5), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten())
        self.out = nn.Linear(8, 2)

    def forward(self, window):
        return self.out(self.net(window))


def windows(signal: torch.Tensor, size: int = WINDOW, hop: int = HOP) -> Iterator[torch.Tensor]:
    for start in range(0, signal.shape[-1] - size + 1, hop):
        yield signal[..., start : start + size]


def spans(bounds: list[int], signal: torch.Tensor) -> Iterator[torch.Tensor]:
    for a, b in pairwise(bounds):
        yield signal[:, a:b]


def main() -> None:
    example = torch.zeros(1, CHANNELS, WINDOW)
    ep = torch.export.export(Event().eval(), (example,))
    run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(ep))
    signal = torch.randn(CHANNELS, 400)
    scores = [run(w[None]) for w in islice(windows(signal), 5)]
    print(torch.stack(scores).shape)
    for part in signal.unfold(-1, WINDOW, HOP).unbind(1):
        print(run(part.unsqueeze(0)).shape)
    for part in spans([0, 64, 128, 200], signal):
        print(run(part.unsqueeze(0)).shape)


if __name__ == "__main__":
    main()
