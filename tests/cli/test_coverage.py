"""`--coverage`: how much was known, of all there is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from aoti_lint.report.check.coverage import share
from aoti_lint.report.check.json_v1 import Document
from aoti_lint.roots import run as analysis
from tests.cli.conftest import Result
from tests.cli.scripts import CLEAN, IRRELEVANT

Lint = Callable[..., Result]
SCRIPT = """\
import torch
from elsewhere import load_model

known = torch.export.export(torch.nn.Linear(4, 4), (torch.randn(3, 4),))
torch._inductor.aoti_compile_and_package(known, package_path="known.pt2")
run = torch._inductor.aoti_load_package("known.pt2")
run(torch.randn(3, 4))
unknown = torch.export.export(load_model(), (torch.randn(3, 4),))
torch._inductor.aoti_load_package("gone.pt2")(load_model())

def outer():
    def inner(model, x):
        program = torch.export.export(model, (x,))
        program.module()(x)
    return 1

@torch.library.custom_op("l::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2

@twice.register_fake
def _(x):
    return torch.empty_like(x)

torch.library.define(load_model(), "(Tensor x) -> Tensor")
"""
TABLE = """\

Coverage: the places that matter, and at how many of them each thing was known
  exports   3  followed 2 (67%)   model 1 (33%)  forward 1 (33%)  inputs 2 (67%)  device 1 (33%)  dims 2 (67%)
  compiles  1  followed 1 (100%)  program 1 (100%)  device 1 (100%)  file 1 (100%)  settings 1 (100%)
  loads     2  followed 2 (100%)  file 2 (100%)  maker 1 (50%)  device 1 (50%)
  calls     3  followed 2 (67%)   program 1 (33%)  examples 1 (33%)  inputs 1 (33%)  device 1 (33%)
  ops       2  followed 2 (100%)  name 1 (50%)  schema 2 (100%)  kernel 1 (50%)  fake 1 (50%)
  fakes     1  followed 1 (100%)  op 1 (100%)  body 1 (100%)
"""


@pytest.fixture
def script(project: Path) -> Path:
    path = project / "script.py"
    path.write_text(SCRIPT, encoding="utf-8")
    return path


def known(found: Result, kind: str) -> dict[str, int]:
    """Of one kind of place: how many there are, were followed, and were known in each respect."""
    (one,) = [one for one in json.loads(found.out)["coverage"]["kinds"] if one["kind"] == kind]
    aspects = {aspect["aspect"]: aspect["known"] for aspect in one["aspects"]}
    return {"sites": one["sites"], "followed": one["followed"], **aspects}


def test_the_table_stands_below_the_report(script: Path, lint: Lint) -> None:
    plain = lint("script.py").out
    assert lint("script.py", "--coverage").out == plain + TABLE
    concise = lint("script.py", "--output-format", "concise")
    assert lint("script.py", "--output-format", "concise", "--coverage") == (concise.code, concise.out + TABLE, "")


def test_the_document_has_it_where_it_is_asked_for(script: Path, lint: Lint) -> None:
    plain = json.loads(lint("script.py", "--output-format", "json").out)
    assert "coverage" not in plain
    found = json.loads(lint("script.py", "--output-format", "json", "--coverage").out)
    assert Document.model_validate(found).model_dump(mode="json") == found
    coverage = found.pop("coverage")
    assert found == plain
    assert coverage["format"] == "aoti-lint-coverage/1"
    unknown = coverage["sites"][4]
    assert (unknown["kind"], unknown["filename"], unknown["location"]["row"]) == ("export", "script.py", 8)
    assert unknown["followed"]
    assert unknown["aspects"][0] == {
        "aspect": "model",
        "known": False,
        "text": "the result of elsewhere.load_model() is not known",
    }
    inner = [one for one in coverage["sites"] if not one["followed"]]
    assert [(one["kind"], one["location"]["row"]) for one in inner] == [("export", 13), ("call", 14)]
    assert not any(aspect["known"] for one in inner for aspect in one["aspects"])


def test_what_one_way_knows_is_known(project: Path, lint: Lint) -> None:
    text = "import torch\ndef f(d):\n    torch.export.export(torch.nn.ReLU(), (torch.ones(2, device=d),))\n"
    (project / "a.py").write_text(f"{text}f(mystery())\n", encoding="utf-8")
    assert known(lint("a.py", "--coverage", "--output-format", "json"), "export")["device"] == 0
    (project / "a.py").write_text(f"{text}f(mystery())\nf('cpu')\n", encoding="utf-8")
    assert known(lint("a.py", "--coverage", "--output-format", "json"), "export") == {
        "sites": 1, "followed": 1, "model": 1, "forward": 1, "inputs": 1, "device": 1, "dims": 1,
    }  # fmt: skip


def test_what_a_budget_cuts_off_counts(project: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "    x = 1 + 2\n" * 60
    export = "    torch.export.export(torch.nn.ReLU(), (torch.ones(2),))\n"
    (project / "a.py").write_text(f"import torch\ndef main():\n{export}{body}{export}", encoding="utf-8")
    words = ("a.py", "--coverage", "--no-cache")
    assert "exports  2  followed 2 (100%)" in lint(*words).out
    monkeypatch.setattr(analysis, "WORK", 100)
    assert "exports  2  followed 2 (100%)" in lint(*words).out  # the lines of the function alone cost less
    monkeypatch.setattr(analysis, "TRIAL_WORK", 100)
    out = lint(*words).out
    assert "exports  2  followed 1 (50%)  model 1 (50%)" in out
    assert out.endswith("1 part of the code was not checked to its end.\n")


def test_a_file_that_cannot_be_read_is_named(script: Path, lint: Lint) -> None:
    script.with_name("broken.py").write_text("import torch\ntorch.export.export(\n", encoding="utf-8")
    found = lint(".", "--coverage")
    assert found.code == 2
    assert found.out.endswith("1 file could not be read: what is in it is not counted.\n")
    assert json.loads(lint(".", "--coverage", "--output-format", "json").out)["coverage"]["unread"] == ["broken.py"]


def test_where_there_is_nothing(project: Path, lint: Lint) -> None:
    (project / "a.py").write_text(IRRELEVANT, encoding="utf-8")
    nothing = "\nNothing exports, compiles, loads or calls a program, or defines an operator.\n"
    assert lint("a.py", "--coverage").out.endswith(nothing)
    assert set(known(lint("a.py", "--coverage", "--output-format", "json"), "export").values()) == {0}


def test_a_run_that_is_remembered_has_it_too(project: Path, lint: Lint, analysed: list[str]) -> None:
    (project / "a.py").write_text(CLEAN, encoding="utf-8")
    words = ("a.py", "--cache-dir", ".cache")
    first, plain = lint(*words, "--coverage").out, lint(*words).out
    assert [lint(*words, "--coverage").out, lint(*words).out] == [first, plain]
    assert len(analysed) == 2


def test_a_program_that_is_saved_and_loaded_in_one_run(project: Path, lint: Lint) -> None:
    text = "torch.export.save(program, 'x.pt2')\ntorch.export.load('x.pt2').module()(torch.ones(2))\n"
    (project / "a.py").write_text(CLEAN + text, encoding="utf-8")
    found = lint("a.py", "--coverage", "--output-format", "json")
    assert known(found, "package") == {"sites": 1, "followed": 1, "content": 1, "file": 1}
    assert known(found, "load") == {"sites": 1, "followed": 1, "file": 1, "maker": 1, "device": 1}
    assert known(found, "call")["program"] == 1


def test_an_op_in_cpp(project: Path, lint: Lint) -> None:
    text = '#include <torch/library.h>\nTORCH_LIBRARY(l, m) { m.def("f(Tensor x) -> Tensor"); }\n'
    (project / "ops.cpp").write_text(text, encoding="utf-8")
    found = lint("ops.cpp", "--coverage", "--output-format", "json")
    assert known(found, "op") == {"sites": 1, "followed": 1, "name": 1, "schema": 1, "kernel": 0, "fake": 1}


def test_a_share_is_all_or_nothing_only_where_it_is() -> None:
    assert [share(*pair) for pair in ((0, 999), (1, 999), (998, 999), (999, 999))] == ["0%", "1%", "99%", "100%"]
