"""What is said of a call that could not be judged."""

from __future__ import annotations

from pathlib import Path

from aoti_lint.coverage.line import Line
from aoti_lint.linking.analysis import analyse
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet

SCRIPT = """\
import torch
from elsewhere import build

model, x = build()
program = torch.export.export(model, (x,))
program.module()(torch.randn(3, 4))
torch._inductor.aoti_load_package("gone.pt2")(torch.randn(3, 4))
known = torch.export.export(torch.nn.Linear(4, 4), (torch.randn(3, 4),))
known.module()(torch.randn(3, 4))
"""


def test_a_call_that_cannot_be_judged_is_counted_and_explained(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SCRIPT, encoding="utf-8")
    facts = analyse(Project(tmp_path, ["a.py"]), VersionSet(["2.13"]))
    assert facts.notes == ["2 calls of compiled models could not be checked; --why-silent LINE says why"]
    lines = [Line(facts, "a.py", row, str) for row in (6, 7, 9)]
    unknown, gone, known = ([text.strip() for text in line.text()] for line in lines)
    assert "program: exported at a.py:5" in unknown
    assert any(text.startswith("examples: not known: ") for text in unknown)
    assert "program: not known: no compile of gone.pt2 was seen, so what is called is not known" in gone
    assert not any("not known" in text for text in known)
    assert [line.complete for line in lines] == [False, False, True]
