"""Texts and archives of the other tests, to be changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parents[2]
LONGEST = 12_000
"""Bytes of a source; longer ones only take longer."""


@cache
def scripts() -> Sequence[bytes]:
    """Python scripts of the tests' corpora."""
    folders = ("truth/scripts", "projects/single", "oracle/scripts", "proof/scripts", "mutation/corpus")
    found = sorted(path for folder in folders for path in (TESTS / folder).rglob("*.py"))
    return [path.read_bytes() for path in found if path.stat().st_size <= LONGEST]


@cache
def projects() -> Sequence[dict[str, bytes]]:
    """Small projects of several files."""
    found = []
    for folder in sorted((TESTS / "projects/trees").iterdir()):
        files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        found.append({name: data for name, data in sorted(files.items()) if len(data) <= LONGEST})
    return found


@cache
def native() -> Sequence[bytes]:
    """C++ sources."""
    found = sorted(path for path in TESTS.rglob("*.cpp") if path.stat().st_size <= 4 * LONGEST)
    return [path.read_bytes() for path in found]


@cache
def logs() -> Sequence[bytes]:
    """What failed runs printed."""
    return [path.read_bytes() for path in sorted((TESTS / "triage/public").glob("*.log"))]


@cache
def log_lines() -> Sequence[bytes]:
    """Single lines of them."""
    samples = (TESTS / "triage/samples.txt").read_bytes().splitlines()
    return [line.partition(b" | ")[2] for line in samples if b" | " in line]


@cache
def archives() -> Sequence[Path]:
    """Programs and packages."""
    return sorted(_of(("program/archives", "package/archives"), ".pt2", 300_000))


@cache
def weights() -> Sequence[Path]:
    """Files of weights: of safetensors and of torch.save."""
    return sorted((*_of(("program/weights",), ".safetensors", 100_000), *_of(("program/weights",), ".pt", 100_000)))


def _of(folders: Sequence[str], ending: str, most: int) -> Iterator[Path]:
    for folder in folders:
        for path in (TESTS / folder).rglob(f"*{ending}"):
            if path.stat().st_size <= most:
                yield path
