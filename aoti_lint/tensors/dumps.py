"""Reads a folder of saved tensors, in the order in which they were written."""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aoti_lint.errors import CannotRun
from aoti_lint.files.opener import WEIGHTS, open_regular
from aoti_lint.tensors.names import Name, understood

if TYPE_CHECKING:
    import torch

FOLDERS = ("", "tmp", "tmp/aoti_torch", "tmp/jit_inductor")
"""Where tensors may be, below the folder in which the program ran (or that is named itself)."""
BUCKETS = 16
BARS = " ▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class Stats:
    """What is in a tensor. `low`, `high` and `mean` are of its finite values, None if it has none."""

    dtype: str
    shape: tuple[int, ...]
    low: float | None
    high: float | None
    mean: float | None
    nan: int
    inf: int
    bars: str
    positive: int = 0
    """How many of the infinities are above zero: masks have others."""

    @property
    def bad(self) -> bool:
        """Whether there is a NaN or an infinity."""
        return bool(self.nan or self.inf)


@dataclass(frozen=True, slots=True)
class Dump:
    """A saved tensor: its file, what its name says, and what is in it; `problem` if it cannot be read.

    `written` is the time of the file in nanoseconds, `sum` a checksum of its bytes, if it is a zip archive.
    """

    path: str
    name: Name
    stats: Stats | None
    written: int
    sum: int | None = None
    problem: str = ""


def load(path: str) -> torch.Tensor:
    """The tensor of a file, on the CPU. Raises what torch.load raises."""
    import torch

    with open_regular(path, WEIGHTS) as file:
        value: Any = torch.load(file, map_location="cpu", weights_only=True)
    if not isinstance(value, torch.Tensor):
        raise ValueError("it holds no tensor")
    return value.detach()


def read(folder: str) -> list[Dump]:
    """The saved tensors of a folder, the oldest first.

    Raises `CannotRun` if there are none, or torch is not installed.
    """
    try:
        import torch  # noqa: F401
    except ImportError:
        raise CannotRun("saved tensors are read with torch, which is not installed here") from None
    if not os.path.isdir(folder):
        raise CannotRun(f"{folder}: not a folder")
    found: list[Dump] = []
    for place in dict.fromkeys(os.path.join(folder, part) if part else folder for part in FOLDERS):
        if os.path.isdir(place):
            for file, name in understood(os.listdir(place)).items():
                found.append(_dump(os.path.join(place, file), name))
    if not found:
        raise CannotRun(f"{folder}: no tensors of the debug printer here (level 1 writes them into tmp/)")
    return sorted(found, key=lambda dump: (dump.written, dump.name.when == "after", dump.path))


def _dump(path: str, name: Name) -> Dump:
    written = os.stat(path).st_mtime_ns
    try:
        return Dump(path, name, stats(load(path)), written, _sum(path))
    except Exception as error:  # torch raises many kinds for files that a crash cut off
        return Dump(path, name, None, written, problem=str(error).partition("\n")[0] or type(error).__name__)


def _sum(path: str) -> int | None:
    """The checksum that the archive has of the tensor's bytes."""
    with open_regular(path, WEIGHTS) as file:
        if not zipfile.is_zipfile(file):
            return None
        with zipfile.ZipFile(file) as archive:
            return next((entry.CRC for entry in archive.infolist() if entry.filename.endswith("/data/0")), None)


def stats(tensor: torch.Tensor) -> Stats:
    """What is in a tensor of any dtype, dense or not."""
    import torch

    shape, dtype = tuple(tensor.shape), str(tensor.dtype).removeprefix("torch.")
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor.resolve_conj())
    values = tensor.to_dense() if tensor.layout != torch.strided else tensor
    values = values.to(torch.float64).flatten()
    nan, inf = int(torch.isnan(values).sum()), int(torch.isinf(values).sum())
    positive = int(torch.isposinf(values).sum())
    finite = values[torch.isfinite(values)]
    if not finite.numel():
        return Stats(dtype, shape, None, None, None, nan, inf, "", positive)
    low, high = float(finite.min()), float(finite.max())
    return Stats(dtype, shape, low, high, float(finite.mean()), nan, inf, bars(finite, low, high), positive)


def bars(values: torch.Tensor, low: float, high: float) -> str:
    """How finite values are spread from the lowest to the highest, as a line of bars."""
    import torch

    if low == high:
        return BARS[-1]
    counts = torch.histc(values, BUCKETS, low, high).tolist()
    most = max(counts)
    return "".join(BARS[0 if not n else max(1, round(n / most * (len(BARS) - 1)))] for n in counts)
