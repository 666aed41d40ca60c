"""The same cases, led by what they cover: `python -m tests.fuzz.with_atheris GROUP [options of libFuzzer]`.

It needs atheris, which has no wheels for every Python.
"""

from __future__ import annotations

import sys
import tempfile
from random import Random

import atheris

with atheris.instrument_imports(include=["aoti_lint"]):
    from aoti_lint.cli.main import main as command_line

from tests.fuzz.kinds import GROUPS
from tests.fuzz.subject import Trial
from tests.fuzz.watch import SECONDS


class Numbers(Random):
    """The choices that the bytes of atheris make."""

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self._left = atheris.FuzzedDataProvider(data)

    def random(self) -> float:
        """A number of those bytes."""
        return float(self._left.ConsumeProbability())

    def getrandbits(self, k: int) -> int:
        """So many bits of those bytes; zeros when they are used up."""
        return int.from_bytes(self._left.ConsumeBytes((k + 7) // 8), "little") & ((1 << k) - 1)


def main() -> None:
    """Run until a fault is found."""
    makers = GROUPS[sys.argv.pop(1)]
    trial = Trial(tempfile.mkdtemp(prefix="aoti-fuzz-"), command_line, SECONDS)

    def one(data: bytes) -> None:
        numbers = Numbers(data)
        case = numbers.choice(makers)(numbers)
        faults = trial.of(case, False).faults
        if faults:
            raise AssertionError(f"{case.keep()}: {faults[0].what}: {faults[0].place}\n{faults[0].text}")

    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
