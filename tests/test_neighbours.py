"""Order, names and neighbours of files and definitions decide nothing, for some of all programs in every run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.metamorphic.neighbours import RELATIONS, Bench, sample
from tests.metamorphic.verdicts import TORCH, write


@pytest.mark.parametrize("name", RELATIONS)
def test_nothing_is_said_otherwise(name: str, tmp_path: Path) -> None:
    relation, every = RELATIONS[name]
    bench = Bench(tmp_path, sample(every))
    found = list(relation(bench))
    assert not found, "\n".join(found)
    assert bench.checks > 20
    assert sum(map(len, bench.before.values())) > 5


def test_the_seed_of_hashes_decides_nothing(tmp_path: Path) -> None:
    """The whole document is the same, with all that belongs to a finding."""
    for number, program in enumerate(sample(30).values()):
        write(tmp_path / f"p{number}", program.files)
    command = [sys.executable, "-m", "aoti_lint", "check", "--no-cache", "--no-config", "--exit-zero", "--pedantic",
               "--output-format", "json", "--torch-version", TORCH, str(tmp_path)]  # fmt: skip
    documents = [
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("0", "1", "77")
    ]
    assert len(json.loads(documents[0])["diagnostics"]) > 5
    assert documents[1:] == documents[:-1]
