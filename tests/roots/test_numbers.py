"""What a root makes and tells is numbered for it alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.machine.machine import is_newer
from aoti_lint.machine.recorded.unit import BITS
from aoti_lint.machine.shared import first_of
from aoti_lint.values.events.exports import ExportEvent
from aoti_lint.values.torch_values import Program
from tests.analysing import facts_of

SCRIPT = """\
import torch
import helper

if {0} > 2:
    helper.tell()
program = torch.export.export(torch.nn.Linear(8, 8), (torch.randn(2, 8),))
"""
HELPER = """\
import torch

def tell():
    return torch.export.export(torch.nn.Linear(4, 4), (torch.randn(2, 4),))

kept = tell()
"""


def numbers(folder: Path, monkeypatch: pytest.MonkeyPatch, root: str, **files: str) -> list[tuple[object, ...]]:
    """The exports of one root: which event of its turn each is, and the identity of what it makes."""
    folder.mkdir()
    monkeypatch.chdir(folder)
    found = facts_of(folder, monkeypatch, **files)
    made = [event for event in found.of(ExportEvent) if event.root == root]
    return [(e.order.place, e.span, e.program.ident) for e in made if isinstance(e.program, Program)]


@pytest.mark.parametrize("root", ["b.py", "helper.py"])
def test_whatever_ran_before(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = numbers(tmp_path / "alone", monkeypatch, root, b=SCRIPT.format(3), helper=HELPER)
    other = numbers(tmp_path / "other", monkeypatch, root, a=HELPER, b=SCRIPT.format(3), helper=HELPER)
    assert alone
    assert other == alone


def test_what_another_root_made_is_not_newer() -> None:
    one, other = sorted((first_of("a.py"), first_of("b.py")))
    assert one >> BITS != other >> BITS
    assert is_newer(one + 2, one + 1)
    assert not is_newer(one + 1, one + 1)
    assert not is_newer(other + 2, one + 1)
    assert not is_newer("files", one)
