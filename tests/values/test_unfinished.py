"""What is too large to follow is said in a sentence, and by `--why-silent` for the file it stands in."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.coverage.line import Line
from aoti_lint.linking import analysis
from aoti_lint.roots import run
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.unfinished import TOO_DEEP, TOO_LARGE, Unfinished, notes


def test_a_few_are_named_and_many_are_counted() -> None:
    few = [Unfinished("a.py", TOO_LARGE), Unfinished("a.py::f", TOO_LARGE), Unfinished("a.py::f", TOO_LARGE)]
    assert notes(few) == [
        "a.py, outside of functions: too much code to check to its end",
        "a.py::f: too much code to check to its end",
    ]
    many = [Unfinished(f"a{n}.py::f", TOO_LARGE) for n in range(80)] + [Unfinished("b.py", TOO_DEEP)]
    assert notes(many) == [
        "80 parts of 80 files, such as a0.py::f: too much code to check to its end; "
        "--why-silent FILE:LINE names those of a file",
        "b.py, outside of functions: nested too deeply to check to its end",
    ]


def test_a_line_of_the_file_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "WORK", 30)
    body = "    x = 1 + 2\n" * 60
    functions = "".join(f"def f{n}():\n    torch.compile(len)\n{body}" for n in range(5))
    (tmp_path / "a.py").write_text(f"import torch\n{functions}")
    (tmp_path / "b.py").write_text("import torch\ndef g():\n    torch.compile(len)\n")
    facts = analysis.analyse(Project(tmp_path, ["a.py", "b.py"]), VersionSet.parse("2.13"))
    assert [note.partition(" of ")[0] for note in facts.notes] == ["5 parts"]
    assert Line(facts, "a.py", 1, str).doubts == [f"a.py::f{n}: too much code to check to its end" for n in range(5)]
    assert not Line(facts, "b.py", 1, str).doubts
