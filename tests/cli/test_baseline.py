"""`--baseline` and `--write-baseline`: what stood already is not told again."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Result
from tests.cli.scripts import BROKEN, CLEAN, CPU_CALL, CUDA_PACKAGE, DEPRECATED, IRRELEVANT

Lint = Callable[..., Result]
BASE = ("--baseline", "base.jsonl")
WRITE = (*BASE, "--write-baseline")
CALL = DEPRECATED.splitlines()[2]
TWICE = f"import torch\n\n{CALL}\n{CALL}\n"


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")


def entries(folder: Path) -> list[tuple[str, str]]:
    lines = (folder / "base.jsonl").read_text(encoding="utf-8").splitlines()
    return [(one["path"], one["code"]) for one in map(json.loads, lines[1:])]


def summary(lint: Lint, *words: str) -> tuple[int, int, int]:
    """How many findings are told, held back by the baseline, and gone from it."""
    document: dict[str, Any] = json.loads(lint(*words, "--output-format", "json").out)
    return len(document["diagnostics"]), document["summary"]["baselined"], document["summary"]["baseline_gone"]


def test_what_stood_is_not_told_and_what_is_new_is(project: Path, lint: Lint) -> None:
    write(project, old=DEPRECATED)
    assert lint(*WRITE) == (0, "base.jsonl: 1 finding (1 new, 0 gone)\n", "")
    result = lint(*BASE)
    assert result.code == 0
    assert "No problems found.\nNot shown: 1 of the baseline (--no-baseline shows it).\n" in result.out
    write(project, new=DEPRECATED)
    result = lint(*BASE, "--output-format", "concise")
    assert result.code == 1
    assert result.out.startswith("new.py:3:8: ")
    assert result.out.count("\n") == 1
    assert lint(*BASE, "--no-baseline").out.count("(deprecated-aot-api)") == 2


def test_lines_that_move_and_layout_change_nothing(project: Path, lint: Lint) -> None:
    write(project, old=DEPRECATED)
    lint(*WRITE)
    before = (project / "base.jsonl").read_bytes()
    write(project, old=f"# one\n# two\n{DEPRECATED.replace('(torch.nn', '( torch.nn')}")
    assert summary(lint, ".", *BASE) == (0, 1, 0)
    lint(*WRITE)
    assert entries(project) == [("old.py", "AOTI201")]
    write(project, old=f"# one\n{DEPRECATED}")
    lint(*WRITE)
    assert (project / "base.jsonl").read_bytes() == before


def test_of_equal_findings_as_many_as_stood_are_held_back(project: Path, lint: Lint) -> None:
    write(project, old=DEPRECATED)
    lint(*WRITE)
    write(project, old=TWICE)
    assert summary(lint, ".", *BASE) == (1, 1, 0)
    assert lint(*WRITE).out == "base.jsonl: 2 findings (1 new, 0 gone)\n"
    assert summary(lint, ".", *BASE) == (0, 2, 0)
    write(project, old=DEPRECATED)
    assert summary(lint, ".", *BASE) == (0, 1, 1)


def test_what_is_gone_is_said_and_rewriting_shrinks(project: Path, lint: Lint) -> None:
    write(project, old=DEPRECATED, other=DEPRECATED, third=DEPRECATED)
    lint(*WRITE)
    write(project, old=CLEAN)
    (project / "other.py").unlink()
    result = lint(*BASE)
    assert result.code == 0
    assert "2 findings of the baseline are gone: --write-baseline leaves them out.\n" in result.out
    assert lint(*WRITE).out == "base.jsonl: 1 finding (0 new, 2 gone)\n"
    assert entries(project) == [("third.py", "AOTI201")]
    assert "gone" not in lint(*BASE).out
    # Nothing that matters is left in the file.
    write(project, third=IRRELEVANT)
    assert summary(lint, "third.py", *BASE) == (0, 0, 1)
    lint(*WRITE)
    assert entries(project) == []


def test_what_was_not_looked_at_is_not_gone(project: Path, lint: Lint) -> None:
    write(project, old=DEPRECATED, other=DEPRECATED)
    lint(*WRITE)
    write(project, old=CLEAN, other=BROKEN)
    # Other files, other rules, files that cannot be parsed.
    assert summary(lint, "other.py", *BASE) == (0, 0, 0)
    assert summary(lint, ".", "--select", "AOTI1", *BASE) == (0, 0, 0)
    assert summary(lint, ".", *BASE) == (0, 0, 1)
    done = lint("other.py", *WRITE)
    assert (done.code, done.out) == (2, "base.jsonl: 2 findings (0 new, 0 gone)\n")
    assert "AOTI002" in done.err
    assert len(entries(project)) == 2


def test_both_ends_of_a_finding_are_one_entry(project: Path, lint: Lint) -> None:
    write(project, export=CUDA_PACKAGE, serve=CPU_CALL)
    told = summary(lint, "--no-cache")[0]
    assert told
    lint("export.py", *WRITE)
    assert set(entries(project)) == {("serve.py", "AOTI102")}
    for words in (["."], ["serve.py"], ["export.py"], ["serve.py", "export.py"]):
        assert summary(lint, *words, *BASE) == (0, told, 0)
    write(project, serve=CPU_CALL.replace("ones(2, 3)", "ones(2, 3, device='cuda')"))
    assert summary(lint, "export.py", *BASE) == (0, 0, 0)
    assert summary(lint, "serve.py", *BASE) == (0, 0, told)


def test_possible_findings(project: Path, lint: Lint) -> None:
    """An entry that was written with --pedantic is not gone without it, and stays."""
    write(project, old=DEPRECATED)
    possible = "import random\nimport torch\n\nd = 'cuda' if random.random() > 0.5 else 'cpu'\n"
    possible += CUDA_PACKAGE.replace("import torch\n", "").replace('"cuda"', "d").replace(".cuda()", ".to(d)")
    write(project, export=possible, serve=CPU_CALL)
    sure, every = summary(lint, ".")[0], summary(lint, ".", "--pedantic")[0]
    assert every > sure
    lint(*WRITE, "--pedantic")
    assert summary(lint, ".", *BASE) == (0, every, 0)
    lint(*WRITE)
    assert len(entries(project)) == every


def test_the_configuration_names_it(project: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "aoti-lint.toml").write_text('baseline = "base.jsonl"\n', encoding="utf-8")
    write(project, old=DEPRECATED)
    result = lint()
    assert result.code == 1
    assert "Note: base.jsonl: there is no such baseline; --write-baseline writes it\n" in result.out
    (project / "inner").mkdir()
    monkeypatch.chdir(project / "inner")
    assert lint("..", "--write-baseline").out == "../base.jsonl: 1 finding (1 new, 0 gone)\n"
    assert (lint("..").code, lint("..", "--no-baseline").code, lint("..", "--no-config").code) == (0, 1, 1)
    (project / "aoti-lint.toml").write_text("baseline = 1\n", encoding="utf-8")
    assert 'baseline must be the name of a file such as "' in lint("..").err


def test_a_remembered_run_heeds_the_baseline_of_today(project: Path, lint: Lint, analysed: list[str]) -> None:
    write(project, old=DEPRECATED)
    lint(*WRITE)
    assert summary(lint, ".", *BASE) == summary(lint, ".", *BASE) == (0, 1, 0)
    assert len(analysed) == 2
    text = (project / "base.jsonl").read_text(encoding="utf-8")
    (project / "base.jsonl").write_text(text.partition("\n")[0], encoding="utf-8")
    assert summary(lint, ".", *BASE) == (1, 0, 0)
    (project / "base.jsonl").write_text(text, encoding="utf-8")
    assert summary(lint, ".", *BASE) == (0, 1, 0)


def test_shards_together_say_what_one_run_says(project: Path, lint: Lint) -> None:
    write(project, old=DEPRECATED, other=DEPRECATED, third=DEPRECATED, lost=DEPRECATED)
    lint(*WRITE)
    write(project, third=CLEAN, new=DEPRECATED)
    (project / "lost.py").unlink()
    whole = summary(lint, ".", *BASE)
    assert whole == (1, 2, 2)
    for number in (1, 2):
        words = ("--shard", f"{number}/2", "--output-format", "json", "--output-file", f"{number}.json")
        lint(".", *BASE, *words)
    assert summary(lint, "merge", "1.json", "2.json") == whole


def test_what_else_is_asked_for_comes_from_what_is_told(project: Path, lint: Lint) -> None:
    write(project, old=DEPRECATED)
    lint(*WRITE)
    words = (".", *BASE, "--torch-version", "2.4..2.15")
    assert json.loads(lint(*words, "--output-format", "json").out)["upgrade"] == []
    assert "AOTI201" not in lint(*words, "--statistics").out
    assert "certain (in the baseline): " in lint(*BASE, "--why-silent", "old.py:3").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (BASE, "base.jsonl: there is no such baseline; --write-baseline writes it"),
        (("--write-baseline",), "say where, with --baseline FILE or `baseline` in the configuration"),
        ((*WRITE, "--no-baseline"), "say where"),
        (("--baseline", "old.py"), "old.py: this is no baseline"),
        (("--baseline", "old.py", "--write-baseline", "--force"), "old.py: this is no baseline"),
        (("--baseline", "no/base.jsonl", "--write-baseline"), "no/base.jsonl: No such file or directory"),
        ((*WRITE, "--shard", "1/2"), "--write-baseline cannot be combined with --shard"),
        ((*WRITE, "--output-file", "x"), "--write-baseline cannot be combined with --output-file"),
        ((*WRITE, "--watch"), "--write-baseline cannot be combined with --watch"),
        ((*WRITE, "--output-format", "json=x"), "--write-baseline cannot be combined with --output-format"),
        ((*WRITE, "--add-ignores"), "--write-baseline cannot be combined with --add-ignores"),
        (("--show-files", "--show-settings"), "--show-files cannot be combined with --show-settings"),
    ],
)
def test_what_cannot_be(project: Path, lint: Lint, words: tuple[str, ...], said: str) -> None:
    write(project, old=DEPRECATED)
    result = lint(*words)
    assert (result.code, result.out) == (2, "")
    assert said in result.err
    assert result.err.count("\n") == 1
    assert sorted(os.listdir(project)) == ["old.py", "pyproject.toml"]
    assert (project / "old.py").read_text(encoding="utf-8") == DEPRECATED


def test_git_merges_what_two_branches_added(project: Path, lint: Lint) -> None:
    """Each added a file of its own with old findings, and wrote the baseline anew."""

    def git(*words: str) -> None:
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b.c", *words]
        subprocess.run(command, cwd=project, check=True, capture_output=True)

    write(project, a=DEPRECATED, m=DEPRECATED, z=DEPRECATED)
    lint(*WRITE)
    git("init", "-b", "one")
    git("add", ".")
    git("commit", "-m", "1")
    git("checkout", "-b", "two")
    write(project, b=DEPRECATED)
    lint(*WRITE)
    git("add", ".")
    git("commit", "-m", "2")
    git("checkout", "one")
    write(project, n=DEPRECATED, z=CLEAN)
    lint(*WRITE)
    git("add", ".")
    git("commit", "-m", "3")
    git("merge", "two")
    assert [path for path, _ in entries(project)] == ["a.py", "b.py", "m.py", "n.py"]
    assert summary(lint, ".", *BASE) == (0, 4, 0)


def test_copies(project: Path, lint: Lint) -> None:
    """What is told once stands in the baseline for each of the files: any may be named, or change, alone."""
    for folder in ("v1", "v2"):
        (project / folder).mkdir()
        write(project / folder, a=DEPRECATED)
    lint(*WRITE)
    assert [path for path, _ in entries(project)] == ["v1/a.py", "v2/a.py"]
    assert summary(lint, ".", *BASE) == (0, 1, 0)
    assert summary(lint, "v2", *BASE) == (0, 1, 0)
    write(project / "v2", a=f"{DEPRECATED}# changed\n")
    assert summary(lint, ".", *BASE) == (0, 2, 0)
    (project / "v3").mkdir()
    write(project / "v3", a=DEPRECATED)
    assert summary(lint, ".", *BASE) == (1, 1, 0)
