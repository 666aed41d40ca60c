from typing import Iterator

import torch

ROWS_PER_STATION = 3
STATIONS = 2


def batches(stations: int = STATIONS) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Endless batches: wind and pressure of every station."""
    size = stations * ROWS_PER_STATION
    while True:
        wind = torch.rand(size, 4)
        pressure = 1000 + torch.rand(size, 1)
        yield wind, pressure


def first(stations: int = STATIONS):
    return next(batches(stations))
