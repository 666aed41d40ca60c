"""Small sources cannot make a check hang or fill the memory, whatever they are made of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from aoti_lint.cli.main import main
from aoti_lint.findings import judging
from aoti_lint.linking import analysis
from aoti_lint.linking.artefacts import MOST_WRITERS, programs_of
from aoti_lint.roots import run
from aoti_lint.source.project import Project
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.events.api import ApiCall
from aoti_lint.values.events.packages import CallEvent
from aoti_lint.values.meter import METER, BudgetSpent, Meter
from aoti_lint.values.sizes.symbols import MAX_NODES, Expr, equal
from tests.cost.shapes import SHAPES, files_of

CHILD = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
resource.setrlimit(resource.RLIMIT_CPU, (100, 110))
from aoti_lint.cli.main import main
for folder in sys.argv[1:]:
    print("exit", main(["check", "--no-cache", folder]), flush=True)
"""

HUGE = 10**400
"""More than a size, an index or the length of a text can be."""
CASES: dict[str, dict[str, int]] = {
    "sizes": {"size_arithmetic": 200, "size_doubling": 200, "size_minimum": 200, "size_sum": 800, "fake_sizes": 200},
    "parts": {"split_one": 10**9, "unbind_all": 10**9, "chunk_all": HUGE, "open_chunks": 10**9},
    "numbers": {"dim_chain": 600, "call range(n)": HUGE, "call list(range(n))": HUGE, "call set(range(n))": HUGE},
    "patterns": {"match_deep": 200, "match_mappings": 60},
    "classes": {"classes_diamond": 40, "classes_wide": 400, "classes_zigzag": 200},
    "containers": {"dict_tuple_keys": 4_000, "dict_literal": 10_000},
    "alternatives": {"joins_call": 200, "choice_doubling": 100, "loop_joins": 200, "early_raises": 400},
    "functions": {"functions_calling_all": 60},
}


@pytest.mark.parametrize("name", CASES)
def test_a_check_of_a_small_source_ends(tmp_path: Path, name: str) -> None:
    folders: list[str] = []
    for shape, size in CASES[name].items():
        folder = tmp_path / f"case{len(folders)}"
        for file, text in files_of(SHAPES[shape](size)).items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
        folders.append(str(folder))
    command = [sys.executable, "-c", CHILD, *folders]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    said = run.stdout + run.stderr
    assert run.returncode == 0, said[-2000:]
    assert said.count("exit ") == len(folders)
    assert not [word for word in ("Traceback", "because of a bug", "MemoryError") if word in said], said[-2000:]


def test_every_shape_can_be_made() -> None:
    for make in SHAPES.values():
        assert all(isinstance(text, str) for text in files_of(make(3)).values())


# ---------------------------------------------------------------- what bounds it


def test_an_expression_that_grows_as_a_tree_becomes_unknown() -> None:
    made = size = Expr("dim", "x", 0)
    again = size
    for _ in range(100):
        made, again = Expr("*", made, made), Expr("*", again, again)
    assert made == again
    assert made.size <= MAX_NODES
    assert not equal(made, size)


def test_what_is_spent_inside_of_an_allotment_is_its_own() -> None:
    count, told = Meter(), list[str]()
    count.spend(10)
    with count.allotted(5, lambda: told.append("too much")):
        count.spend(3)
        with count.allotted(100, lambda: None):
            count.spend(50)
        count.spend(2)
        with pytest.raises(BudgetSpent):
            count.spend()
    assert told == ["too much"]
    count.spend(10**9)


def test_a_file_whose_functions_cost_too_much_is_left_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "FILE_WORK", 200)
    functions = "".join(f"def f{i}():\n    torch.compile(len)\n" for i in range(99))
    (tmp_path / "a.py").write_text(f"import torch\n{functions}")
    (tmp_path / "b.py").write_text("import torch\ndef f():\n    torch.compile(len)\n")
    facts = analysis.analyse(Project(tmp_path, ["a.py", "b.py"]), VersionSet.parse("2.13"))
    assert facts.notes == ["a.py: its functions take too long to check them all"]
    assert [event.span.path for event in facts.of(ApiCall)][-1] == "b.py"


def test_a_rule_that_has_too_much_to_compare_is_left_and_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(judging, "RULE_WORK", 20)
    (tmp_path / "a.py").write_text("import torch\n" + "torch._inductor.aot_compile(1, ())\n" * 40)
    main(["check", "--no-cache", "--select", "AOTI201", "--torch-version", "2.13", str(tmp_path)])
    assert "AOTI201 (deprecated-aot-api) was not finished: there is too much to compare" in capsys.readouterr().out


def test_nobody_guesses_which_of_very_many_wrote_a_file(tmp_path: Path) -> None:
    export = "p@ = torch.export.export(torch.nn.ReLU(), (torch.ones(@),))\ntorch.export.save(p@, 'n.pt2')\n"
    load = "import torch\np = torch.export.load('n.pt2')\np.module()(torch.ones(3))\n"
    for count, known in ((2, 2), (MOST_WRITERS + 1, 0)):
        text = "import torch\n" + "".join(export.replace("@", str(i + 2)) for i in range(count))
        (tmp_path / "a.py").write_text(text)
        (tmp_path / "b.py").write_text(load)
        facts = analysis.analyse(Project(tmp_path, ["a.py", "b.py"]), VersionSet.parse("2.13"))
        (call,) = (event for event in facts.of(CallEvent) if event.span.path == "b.py")
        assert len(programs_of(facts, call.target, call)) == known


def test_a_root_that_costs_too_much_is_left_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "WORK", 200)
    guard = 'if __name__ == "__main__":\n    torch.compile(len)\n'
    (tmp_path / "a.py").write_text("import torch\n" + "x = 1\n" * 200 + guard)
    facts = analysis.analyse(Project(tmp_path, ["a.py"]), VersionSet.parse("2.13"))
    assert facts.notes == ["a.py, outside of functions: too much code to check to its end"]
    assert METER.limit == float("inf")
