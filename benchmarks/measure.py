"""CPU seconds of commands, and what they say about each other.

Only the operating system's account of user and system time counts, of a process and all it started and waited for: it
says the same on a busy machine as on a quiet one, or nearly. What is compared is run in turn, so that both see the same
machine, and compared pair by pair.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median


class Failed(Exception):
    """A command did not do what was to be measured."""


@dataclass(frozen=True)
class Command:
    """Something to run. `ok` are the exit codes of a run that did its work; `before` is run first, unmeasured."""

    words: Sequence[str]
    ok: Sequence[int] = (0,)
    before: Callable[[], object] | None = None
    folder: Path | None = None


@dataclass(frozen=True)
class Sample:
    """One run: CPU seconds, and the memory of its largest process."""

    cpu: float
    peak_mib: float


@dataclass
class Row:
    """What one tool took for one job. `factor` is what the samples were multiplied by, where a part stands for all."""

    job: str
    tool: str
    samples: list[Sample] = field(default_factory=list)
    factor: float = 1.0

    @property
    def cpu(self) -> float:
        """The median CPU seconds."""
        return median(sample.cpu for sample in self.samples)

    @property
    def peak_mib(self) -> float:
        """The largest process of all runs."""
        return max(sample.peak_mib for sample in self.samples)


@dataclass(frozen=True)
class Aim:
    """`ours` should take at most `limit` times what `theirs` takes."""

    name: str
    ours: Row
    theirs: Row
    limit: float

    @property
    def ratio(self) -> float:
        """Ours through theirs: the median over the pairs, which ran one after the other."""
        return ratio(self.ours.samples, self.theirs.samples)

    @property
    def met(self) -> bool:
        return self.ratio <= self.limit


def ratio(ours: Sequence[Sample], theirs: Sequence[Sample]) -> float:
    """The median of the ratios of the pairs; of the medians where one side was run more often."""
    if len(ours) == len(theirs):
        return median(mine.cpu / other.cpu for mine, other in zip(ours, theirs, strict=True))
    return median(sample.cpu for sample in ours) / median(sample.cpu for sample in theirs)


def run(command: Command) -> Sample:
    """Run a command to its end. Raises `Failed` when it ends with another exit code, or with a traceback."""
    if command.before is not None:
        command.before()
    # Files, not pipes: nobody reads while the process is waited for.
    with tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
        process = subprocess.Popen(
            command.words, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, cwd=command.folder, env=environment()
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        stderr.seek(0)
        said = stderr.read().decode("utf-8", "replace")
    if process.returncode not in command.ok or "Traceback" in said:
        raise Failed(f"{' '.join(command.words)}: exit code {process.returncode}\n{said[-2000:]}")
    # Linux counts in KiB, macOS in bytes.
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Sample(used.ru_utime + used.ru_stime, used.ru_maxrss / unit)


def in_turn(jobs: Mapping[str, Command], job: str, repeats: int) -> dict[str, Row]:
    """Run the command of every tool, then all again, `repeats` times after one run that is not counted.

    That first run fills what every later one finds filled: the system's file cache, compiled Python files.
    """
    rows = {tool: Row(job, tool) for tool in jobs}
    for turn in range(-1, repeats):
        for tool, command in jobs.items():
            sample = run(command)
            if turn >= 0:
                rows[tool].samples.append(sample)
    return rows


def scaled(part: Row, start: Row, factor: float) -> Row:
    """What a tool would take for all, from what it took for a part of the bytes: the start is paid once only."""
    started = start.cpu
    samples = [Sample(started + (sample.cpu - started) * factor, sample.peak_mib) for sample in part.samples]
    return Row(part.job, part.tool, samples, factor)


def environment() -> dict[str, str]:
    """The environment of measured commands: nothing that colours output, or points Python somewhere else."""
    dropped = ("PYTHON", "FORCE_COLOR", "CLICOLOR", "RUFF_", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
