"""Packages of the registry: nothing is found in them that nobody has read, and nothing that was right is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.sweep.review import VERDICTS, Review, difference, found, reviews, unpack

PACKAGES = reviews("packages")


@pytest.mark.parametrize("review", PACKAGES, ids=[one.name for one in PACKAGES])
def test_packages(review: Review, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest",
             str(tmp_path / "wheel"), review.requirement]  # fmt: skip
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("the registry of packages cannot be reached")
    (wheel,) = (tmp_path / "wheel").iterdir()
    unpack(wheel, tmp_path / "tree")
    assert difference(review, found(tmp_path / "tree")) == []


@pytest.mark.parametrize("kind", ["packages", "repositories"])
def test_every_finding_has_a_verdict(kind: str) -> None:
    for review in reviews(kind):
        for finding, (verdict, why) in review.verdicts.items():
            assert verdict in VERDICTS, finding
            assert why, finding
            assert not (verdict == "false" and finding.severity == "error"), finding
