"""Forwards of one or a few lines, exported without and with `strict=True`: what is said of each, and what torch did.

`refused_forwards.txt` has them, each below the outcome of the two exports: `works`, of which nothing may be said as an
error; the rules that say it raises; or `unsaid`, where it raises and no rule knows. That torch does so,
`tests/proof/test_refused_forwards.py` runs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.judging import lint_files

SCRIPT = """\
import copy
import math

import numpy as np
import torch
import torch.nn.functional as F

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 8)
        self.relu = torch.nn.ReLU()
        self.register_buffer("buf", torch.zeros(8))
        self.register_buffer("big", torch.zeros(4, 8))

    def forward(self, x, mask=None):
        {body}

torch.export.export(Net().eval(), (torch.randn(4, 8),), strict={strict})
"""


@dataclass(frozen=True)
class Case:
    """A forward, exported so; what is said of it."""

    body: str
    strict: bool
    said: str

    @property
    def text(self) -> str:
        return SCRIPT.format(body=self.body.replace("\n", "\n        "), strict=self.strict)

    @property
    def raises(self) -> bool:
        return self.said != "works"


def cases() -> list[Case]:
    text = (Path(__file__).parent / "refused_forwards.txt").read_text(encoding="utf-8")
    found = []
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        said, body = part.split("\n", 1)
        body = "\n".join(line for line in body.splitlines() if not line.startswith("#"))
        found += [Case(body, strict, one) for strict, one in zip((False, True), said.split("; "), strict=True)]
    return found


CASES = cases()


def test_what_is_said(tmp_path: Path) -> None:
    made = lint_files(tmp_path / "run", {f"case{i}.py": case.text for i, case in enumerate(CASES)}, torch="2.13")
    told: dict[str, set[str]] = {}
    for one in made:
        if str(one.severity) in ("error", "warning"):
            told.setdefault(one.file, set()).add(one.code)
    wrong = []
    for i, case in enumerate(CASES):
        said = "+".join(sorted(told.get(f"case{i}.py", ()))) or ("unsaid" if case.raises else "works")
        if said != case.said:
            wrong.append((case.body, case.strict, case.said, said))
    assert wrong == []


OF_INPUTS = {"AOTI325", "AOTI714", "AOTI722"}
CALL = "torch.export.export(Net().eval(), (torch.randn(4, 8),)"


@pytest.mark.parametrize(("call", "held"), [
    ("torch.export.export(Net().eval(), unknown.given", ""),
    ("torch.export.export(Net().eval(), (*unknown.given,)", ""),
    ("torch.export.export(Net().eval(), (), unknown.given", ""),
    ("torch.export.export(Net().eval(), (), dict(unknown.given)", ""),
    (f"{CALL}, unknown.given", "mask"),
    (f"{CALL}, {{**unknown.given}}", "mask"),
    (f"{CALL}, {{'mask': unknown.given}}", "mask"),
])  # fmt: skip
def test_nothing_is_said_of_inputs_that_are_not_known(tmp_path: Path, call: str, held: str) -> None:
    """`held` is the input that is not known, where that is one of them; else each way gets a half of the forwards."""
    by_x = {"return x.masked_fill(x[0, :4] > 0, 0)", "return x.masked_fill(x, 0)"}
    cases = [case for case in CASES if held in re.findall(r"\w+|$", case.body) and case.body not in by_x]
    cases = cases if held else cases["*" in call or "dict" in call :: 2]
    assert len(cases) > 40
    texts = {f"case{i}.py": "import unknown\n" + case.text.replace(CALL, call) for i, case in enumerate(cases)}
    made = lint_files(tmp_path / "run", texts, torch="2.13")
    assert [(cases[int(one.file[4:-3])].body, one.message) for one in made if one.code in OF_INPUTS] == []
