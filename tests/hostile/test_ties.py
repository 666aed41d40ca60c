"""Texts made to be slow to look for names in, and projects in which all has to do with all."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.source.project import Project
from aoti_lint.source.ties.naming import named_in
from aoti_lint.source.ties.neighbours import MOST, neighbours
from tests.hostile.child import within_bounds

MANY = 100_000


@pytest.mark.parametrize(
    "piece", ["a", "a.", ".pt2", "{.pt2", "}a.pt2", "a/", "from a import (\n", "'a::", "-m ", "{", "x.py "]
)
def test_what_somebody_makes_to_be_slow(piece: str) -> None:
    text = piece.encode() * MANY
    assert within_bounds(lambda: len(named_in(text, python=True)["words"]) < MANY) == "True"


def test_all_name_the_same(tmp_path: Path) -> None:
    names = [f"m{n}.py" for n in range(2_000)]
    for name in names:
        (tmp_path / name).write_text(
            "import torch\nfrom . import a\ntorch.export.save(torch.ops.mine.add, 'model.pt2')\n"
        )

    def work() -> int:
        return len(neighbours(Project(tmp_path, names[:1], others=names[1:])))

    assert within_bounds(work) == str(MOST)
