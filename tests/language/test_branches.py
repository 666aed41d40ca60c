"""Branches and handlers as the sources of real projects have them: many, nested, and with faults in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint import models
from aoti_lint.linking.analysis import analyse
from aoti_lint.machine import tables
from aoti_lint.machine.machine import Machine
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.call import Call
from aoti_lint.values.events.exports import ExportEvent
from aoti_lint.values.values import Unknown, Value
from tests.analysing import codes, facts_of
from tests.snippets import run


def test_guards_that_raise_one_after_the_other_do_not_multiply(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guard = "    if x.a{0}:\n        x.b{0}()\n    elif x.c{0}:\n        raise ValueError\n"
    text = "import torch\ndef f(x):\n" + "".join(guard.format(i) for i in range(60))
    text += "    torch.export.export(x, (torch.randn(2),))\n"
    facts = facts_of(tmp_path, monkeypatch, a=text + "def g(x):\n" + "    f(x)\n" * 3)
    assert not facts.notes
    assert [type(e).__name__ for e in facts.events].count("ExportEvent") >= 1


def test_identities_of_repeated_operators_stay_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = facts_of(
        tmp_path,
        monkeypatch,
        a="""
        import torch
        def f(x):
            for _ in range(20):
                x = x + x
            if x:
                torch.export.export(x, (x,))
        """,
    )
    assert facts.events
    assert max(len(repr(c.key)) for e in facts.events for c in e.path) < 1000


def test_a_test_of_too_many_alternatives_is_one_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import torch\ndef f(x):\n    y = " + "".join(f"x.a{i} if x.b{i} else " for i in range(9))
    text += "None\n    z = 1 if y else 2\n    if y:\n        torch.export.export(x, (z,))\n"
    facts = facts_of(tmp_path, monkeypatch, a=text)
    assert not facts.notes


def test_a_handler_that_imports_the_old_name_is_a_fallback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
        import torch
        try:
            from torch.export import export as trace
        except ImportError:
            from torch.export import export_for_training as trace
        """
    assert "AOTI202" not in codes(facts_of(tmp_path, monkeypatch, a=text))


def test_a_handler_that_runs_because_the_name_is_missing_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """
        import torch
        try:
            from torch.export import export_for_training as trace
        except ImportError:
            from torch._export import capture_pre_autograd_graph as trace
        """
    assert codes(facts_of(tmp_path, monkeypatch, a=text)) == ["AOTI202"]


def test_a_truth_that_is_not_told_is_not_false(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import torch\ndef f(x):\n    y = " + "".join(f"x.a{i} if x.b{i} else " for i in range(9))
    text += "None\n    if not y:\n        torch.export.export(x, (1,))\n"
    (event,) = facts_of(tmp_path, monkeypatch, a=text).of(ExportEvent)
    assert any(cond.key[0] == "truthy" and not answer for cond, answer in event.path.items())


def test_a_fault_in_one_module_does_not_silence_those_that_import_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(m: Machine, site: Call) -> Value:
        raise KeyError("a fault")

    models.load()
    monkeypatch.setitem(tables.FUNCTIONS, "tempfile.mkdtemp", fail)
    monkeypatch.delenv("AOTI_LINT_DEBUG", raising=False)
    (tmp_path / "helper.py").write_text("import tempfile, torch\ntempfile.mkdtemp()\ntorch.export.export\n")
    (tmp_path / "a.py").write_text("import helper, torch\ntorch.export.export(helper.model, (1,))\n")
    facts = analyse(Project(tmp_path, ["a.py", "helper.py"]), VersionSet.parse("2.13"))
    assert len(list(facts.of(ExportEvent))) == 1
    assert any("helper.py" in note and "a fault" in note for note in facts.notes)


def test_a_function_that_calls_itself_on_unknowns_comes_to_an_end() -> None:
    ran = run("""
from elsewhere import thing
def walk(x):
    return walk(x.left) or walk(x.right)
made = walk(thing)
""")
    assert all(isinstance(one, Unknown) for one in ran.arms("made"))
