"""How time and memory grow with the input: `python -m benchmarks.growth [NAME...]`.

Each input is measured at a size, twice that and four times that, and at larger ones where it seems to grow too fast. An
exponent of 1 is linear; n log n has about 1.1. The exit code is 1 where something grows faster, or does not end.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path

from benchmarks.measure import Sample, environment
from benchmarks.shapes import SHAPES, Shape

STEEPEST = 1.35
"""The exponent of n log n for such sizes, and what two runs of one input differ by."""
SECONDS, MEBIBYTES = 0.4, 60.0
"""What the largest input takes beyond the smallest one at least, for its growth to mean anything."""
ENOUGH = 4.0
"""CPU seconds of the largest input from which on its growth is believed: of less, so much is noise or a first step."""
LIMIT = 40
"""CPU seconds after which a run is ended."""


@dataclass(frozen=True)
class Growth:
    """An input, and what it took at each size; None where it did not end."""

    name: str
    size: int
    samples: tuple[Sample | None, ...]
    start: Sample

    @property
    def ended(self) -> bool:
        """Whether every run did."""
        return all(self.samples)

    @property
    def time(self) -> float | None:
        """The exponent of the time."""
        return self._exponent([one.cpu - self.start.cpu if one else None for one in self.samples], SECONDS)

    @property
    def memory(self) -> float | None:
        """The exponent of the memory."""
        return self._exponent([one.peak_mib - self.start.peak_mib if one else None for one in self.samples], MEBIBYTES)

    @property
    def fine(self) -> bool:
        """Whether it ended, and grew at most as n log n."""
        return self.ended and max(self.time or 0, self.memory or 0) <= STEEPEST

    @property
    def certain(self) -> bool:
        """Whether the largest input took long enough to say how its cost grows."""
        last = self.samples[-1]
        return last is not None and last.cpu - self.start.cpu >= ENOUGH

    @staticmethod
    def _exponent(values: Sequence[float | None], least: float) -> float | None:
        known = [value for value in values if value is not None]
        if len(known) < 2 or known[-1] < least:
            return None
        return log2(known[-1] / max(known[-2], least / 20))


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; gives 1 when something grows too fast."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="these only: " + ", ".join(SHAPES))
    parser.add_argument("--times", type=int, default=1, metavar="N", help="begin with inputs so many times larger")
    arguments = parser.parse_args(words)
    wrong = set(arguments.names) - SHAPES.keys()
    if wrong:
        parser.error(f"there is no {sorted(wrong)[0]!r}")
    fine = True
    print(f"{'':28} {'size':>7} {'CPU s at 1, 2, 4 times':>24} {'exp.':>5} {'MiB':>17} {'exp.':>5}")
    for growth in measured(arguments.names or list(SHAPES), arguments.times):
        print(_row(growth), flush=True)
        fine = fine and growth.fine
    return 0 if fine else 1


def measured(names: Sequence[str], times: int = 1) -> Iterator[Growth]:
    """The growth of each of these inputs."""
    for name in names:
        size, shape = SHAPES[name]
        # The first run fills what every later one finds filled.
        _run(1, shape)
        start = _run(1, shape)
        if start is None:
            raise SystemExit(f"{name}: the smallest input does not end")
        size *= times
        samples = [_run(size * factor, shape) for factor in (1, 2, 4)]
        while not (found := Growth(name, size, tuple(samples), start)).fine and found.ended and not found.certain:
            size *= 2
            samples = [*samples[1:], _run(size * 4, shape)]
        yield found


def _run(size: int, shape: Shape) -> Sample | None:
    """What a command takes; None where it is ended, or ends without having done its work."""
    with tempfile.TemporaryDirectory(prefix="aoti-lint-growth-") as name:
        folder = Path(name) / "tree"
        folder.mkdir()
        words = [sys.executable, "-m", "aoti_lint", *shape(size, folder)]
        code = f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r}); " \
               "from aoti_lint.cli.main import main; sys.exit(main())"  # fmt: skip
        words[1:3] = ["-P" if sys.version_info >= (3, 11) else "-s", "-c", code]
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=said, cwd=folder, env=environment(),
                preexec_fn=_limited,
            )  # fmt: skip
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            bug = b"this is a bug" in said.read()
    if process.returncode not in (0, 1, 2) or bug:
        return None
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Sample(used.ru_utime + used.ru_stime, used.ru_maxrss / unit)


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)


def _row(growth: Growth) -> str:
    seconds = " ".join(f"{one.cpu:7.2f}" if one else "  ended" for one in growth.samples)
    mebibytes = " ".join(f"{one.peak_mib:5.0f}" if one else "    -" for one in growth.samples)
    exponents = [f"{one:5.2f}" if one is not None else "    -" for one in (growth.time, growth.memory)]
    judged = "" if growth.fine else "  DOES NOT END" if not growth.ended else "  TOO FAST"
    return f"{growth.name:28} {growth.size:7} {seconds:>24} {exponents[0]} {mebibytes:>17} {exponents[1]}{judged}"


if __name__ == "__main__":
    raise SystemExit(main())
