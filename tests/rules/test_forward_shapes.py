"""Models in many styles, exported with `dynamic_shapes` in many forms: what is said of each, and what torch did.

`forward_shapes/*.txt` hold models (`### name`), each with exports of it (`#### name: outcome; what is said`). The
outcome is that of torch 2.13, which `tests/proof/test_forward_shapes.py` runs: `refused`, `static` (fewer dimensions
are dynamic than were declared so), or `fine`. Of what is fine nothing may be said; what is said of the others is told
by code and severity, and `-` is a fault that is not found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.judging import lint_files

SHARED = ("AOTI319", "AOTI352")
"""Of a `Dim` that no export uses, and of inputs that are one tensor: the exports of a model share theirs."""
FOLDER = Path(__file__).parent / "forward_shapes"
HEAD = """\
import collections, math
from dataclasses import dataclass
from typing import NamedTuple, Optional, Dict, List, Tuple
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor
from torch.export import Dim
"""


@dataclass(frozen=True)
class Case:
    """One export: its script, what torch does, and what the linter says."""

    name: str
    text: str
    outcome: str
    said: str


def cases() -> list[Case]:
    """All exports of all files."""
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        for part in re.split(r"^### ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            head, *exports = re.split(r"^#### ", part, flags=re.MULTILINE)
            model, before = head.split("\n", 1)
            for export in exports:
                title, line = export.split("\n", 1)
                name, outcome, said = re.split(": |; ", title)
                found.append(Case(f"{model}-{name}", HEAD + before + line, outcome, said))
    return found


CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_said(case: Case, tmp_path: Path) -> None:
    made = lint_files(tmp_path / "run", {"script.py": case.text}, torch="2.13")
    told = [one for one in made if one.severity != "info" and one.code[4] == "3" and one.code not in SHARED]
    said = {f"{one.code} {one.severity}" for one in told}
    assert said == (set() if case.said == "-" else set(case.said.split(", ")))


def test_nothing_is_said_of_what_is_fine() -> None:
    assert [case.name for case in CASES if case.outcome == "fine" and case.said != "-"] == []


def test_no_error_where_a_dimension_is_lost_in_silence() -> None:
    assert [case.name for case in CASES if case.outcome == "static" and "error" in case.said] == []
