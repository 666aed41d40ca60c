"""`--shard` and `merge`: the parts of a run together are the whole."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Result
from tests.cli.scripts import BROKEN, CLEAN, CPU_CALL, CUDA_PACKAGE, DEPRECATED, IRRELEVANT

Lint = Callable[..., Result]
TREES = Path(__file__).parents[1] / "projects" / "trees"
SOME = ("01", "02", "03", "20", "31", "44", "47", "75", "85", "103", "309", "316", "324", "330", "353", "363")
"""Trees of several files, joined by imports, packages, saved programs, settings and operators."""


def parts(lint: Lint, count: int, *words: str) -> list[dict[str, Any]]:
    """The reports of all shards, each in a file of its own."""
    reports = []
    for number in range(1, count + 1):
        done = lint(*words, "--shard", f"{number}/{count}", "--output-format", "json")
        Path(f"{number}.json").write_text(done.out, encoding="utf-8")
        reports.append(json.loads(done.out))
    return reports


def merged(lint: Lint, count: int, *words: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(
        lint("merge", *(f"{number}.json" for number in range(1, count + 1)), "--output-format", "json", *words).out
    )
    return document


def told(document: dict[str, Any]) -> dict[str, Any]:
    """All that is the same: each shard counts for itself the files that it reads beside its own."""
    summary = {**document["summary"], "notes": sorted(document["summary"]["notes"])}
    del summary["context"]
    return {**document, "errors": sorted(document["errors"], key=str), "summary": summary}


@pytest.fixture(scope="module")
def trees(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Several projects in one."""
    folder = tmp_path_factory.mktemp("trees")
    (folder / "pyproject.toml").write_text('[project]\ndependencies = ["torch==2.13.*"]\n', encoding="utf-8")
    for tree in sorted(TREES.iterdir()):
        if tree.name.partition("_")[0] in SOME:
            shutil.copytree(tree, folder / tree.name)
    return folder


@pytest.mark.parametrize("count", [2, 3])
def test_all_shards_together_tell_what_one_run_tells(
    trees: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    monkeypatch.chdir(trees)
    whole = json.loads(lint(".", "--pedantic", "--output-format", "json").out)
    reports = parts(lint, count, ".", "--pedantic")
    assert len(whole["diagnostics"]) > 20
    analysed = [one["summary"]["analysed"] for one in reports]
    assert sum(analysed) == whole["summary"]["analysed"]
    assert min(analysed) > sum(analysed) // (2 * count)
    assert all(one["diagnostics"] for one in reports)
    assert told(merged(lint, count)) == told(whole)


@pytest.mark.parametrize("name", [*SOME[:6]])
def test_what_hangs_together_is_one_shards_work(
    project: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tree,) = TREES.glob(f"{name}_*")
    shutil.copytree(tree, project / "tree")
    whole = json.loads(lint("tree", "--pedantic", "--output-format", "json").out)
    parts(lint, 2, "tree", "--pedantic")
    assert told(merged(lint, 2)) == told(whole)


def test_what_is_wrong_beside_findings_is_told_once(project: Path, lint: Lint) -> None:
    for name, text in {
        "broken.py": BROKEN, "clean.py": CLEAN, "other.py": IRRELEVANT, "old.py": DEPRECATED,
        "quiet.py": DEPRECATED.replace("\n", "  # aoti-lint: ignore[AOTI201]\n"), "export.py": CUDA_PACKAGE,
        "serve.py": CPU_CALL, "unused.py": "x = 1  # aoti-lint: ignore[AOTI201]\n",
    }.items():  # fmt: skip
        (project / name).write_text(text, encoding="utf-8")
    words = (".", "gone.py", "--exclude", "nothing")
    whole = lint(*words, "--output-format", "json")
    parts(lint, 3, *words)
    document = json.loads(whole.out)
    assert told(merged(lint, 3)) == told(document)
    assert (len(document["errors"]), document["summary"]["suppressed"]) == (2, 1)
    joined = lint("merge", "1.json", "2.json", "3.json")
    assert (joined.code, whole.code) == (2, 2)
    assert joined.out.splitlines()[-4:] == lint(*words).out.splitlines()[-4:]


def test_a_shard_may_have_nothing_to_do(project: Path, lint: Lint) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    reports = parts(lint, 2, "old.py")
    assert sorted(len(one["diagnostics"]) for one in reports) == [0, 1]
    assert [one["shard"] for one in reports] == [{"number": 1, "of": 2}, {"number": 2, "of": 2}]
    assert "shard" not in merged(lint, 2)


def test_steps_of_an_upgrade_are_those_of_all(project: Path, lint: Lint) -> None:
    (project / "new.py").write_text("import torch\n\nx = torch.export.Dim.AUTO\n", encoding="utf-8")
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    words = (".", "--torch-version", "2.4..2.15", "--pedantic")
    whole = json.loads(lint(*words, "--output-format", "json").out)
    parts(lint, 2, *words)
    assert whole["upgrade"]
    assert merged(lint, 2)["upgrade"] == whole["upgrade"]


def test_a_shard_is_not_remembered_for_another(project: Path, lint: Lint, analysed: list[str]) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    (project / "clean.py").write_text(CLEAN, encoding="utf-8")
    first = parts(lint, 2, ".")
    assert first == parts(lint, 2, ".")
    assert len(analysed) == 2


def test_what_the_exit_code_is(project: Path, lint: Lint) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    parts(lint, 2, "old.py")
    assert lint("merge", "1.json", "2.json").code == 1
    assert lint("merge", "1.json", "2.json", "--exit-zero").code == 0
    assert lint("merge", "1.json", "2.json", "--output-format", "concise", "--output-file", "all.txt").code == 1
    assert "AOTI201" in (project / "all.txt").read_text(encoding="utf-8")


def test_reports_of_whole_runs(project: Path, lint: Lint) -> None:
    """What two of them tell is told once."""
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    (project / "clean.py").write_text(CLEAN, encoding="utf-8")
    lint("old.py", "--output-format", "json", "--output-file", "1.json")
    lint("old.py", "clean.py", "--output-format", "json", "--output-file", "2.json")
    assert len(merged(lint, 2)["diagnostics"]) == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda one: "", "2.json: this is no report of aoti-lint; those of --output-format json can be joined\n"),
        (lambda one: "[]", "this is no report of aoti-lint;"),
        (lambda one: '{"version": "2.1.0", "runs": []}', "this is no report of aoti-lint;"),
        (lambda one: '{"format": "aoti-lint/1"}', "this version of aoti-lint: see version in it\n"),
        (lambda one: json.dumps({**one, "format": "aoti-lint/9"}), "this version of aoti-lint: see format in it\n"),
        (lambda one: json.dumps(one)[:-50], "this is no whole report of a check by this version of aoti-lint\n"),
        (lambda one: json.dumps({**one, "version": "9"}), "they are of different version of aoti-lint"),
        (lambda one: json.dumps({**one, "torch": {**one["torch"], "versions": ["2.4"]}}), "versions of torch"),
        (lambda one: json.dumps({**one, "shard": {"number": 2, "of": 3}}), "different numbers of shards: 2 and 3"),
        (lambda one: json.dumps({**one, "shard": {"number": 1, "of": 2}}), "shard 1 of 2 is there twice"),
        (lambda one: json.dumps({name: one[name] for name in one if name != "shard"}), "some of whole runs"),
    ],
)
def test_what_makes_no_report(project: Path, lint: Lint, change: Callable[[dict[str, Any]], str], said: str) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    (project / "clean.py").write_text(CLEAN, encoding="utf-8")
    two = parts(lint, 2, ".")[1]
    (project / "2.json").write_text(change(two), encoding="utf-8")
    done = lint("merge", "1.json", "2.json")
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_report_in_another_format_is_named(project: Path, lint: Lint) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    lint("old.py", "--output-format", "sarif=old.sarif")
    done = lint("merge", "old.sarif")
    assert done.code == 2
    said = "old.sarif: this is a report of --output-format sarif; those of --output-format json can be joined"
    assert done.err == f"aoti-lint: error: {said}\n"


def test_the_same_report_twice(project: Path, lint: Lint) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    (project / "clean.py").write_text(CLEAN, encoding="utf-8")
    lint("old.py", "--output-format", "json=1.json")
    shutil.copyfile("1.json", "2.json")
    done = lint("merge", "1.json", "2.json")
    assert (done.code, done.err) == (2, "aoti-lint: error: 1.json and 2.json are the same report\n")
    lint("clean.py", "--output-format", "json=1.json")
    shutil.copyfile("1.json", "2.json")
    assert lint("merge", "1.json", "2.json").code == 0


def test_reports_that_were_made_in_other_folders(project: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        (project / name).mkdir()
        (project / name / f"{name}.py").write_text(DEPRECATED, encoding="utf-8")
        monkeypatch.chdir(project / name)
        lint(".", "--output-format", f"json=../{name}.json")
        monkeypatch.chdir(project)
        lint(name, "--output-format", f"json=from_here_{name}.json")
    said = "2 files of 2 with findings cannot be found from this folder"
    assert said in lint("merge", "one.json", "two.json").out
    assert said not in lint("merge", "from_here_one.json", "from_here_two.json").out


def test_a_shard_that_is_missing_is_missed(project: Path, lint: Lint) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    parts(lint, 3, "old.py")
    done = lint("merge", "1.json", "3.json")
    assert done.code == 2
    assert "shard 2 of 3 is missing" in done.err
    assert lint("merge", "gone.json").code == 2


def test_a_report_shows_nothing_of_what_lies_elsewhere(project: Path, lint: Lint, tmp_path_factory: Any) -> None:
    """It may come from anybody; what it tells is shown and never obeyed."""
    secret = tmp_path_factory.mktemp("home") / "secret.py"
    secret.write_text("import torch\n\nkey = 'hidden'\n", encoding="utf-8")
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    (project / "link.py").symlink_to(secret)
    report = json.loads(lint("old.py", "--output-format", "json").out)
    (finding,) = report["diagnostics"]
    names = (str(secret), f"../{secret.parent.name}/secret.py", "link.py", "old.py", "gone\x1b[31m.py")
    report["diagnostics"] = [{**finding, "filename": name} for name in names]
    (project / "1.json").write_text(json.dumps(report), encoding="utf-8")
    out = lint("merge", "1.json").out
    assert "hidden" not in out
    assert out.count("torch._export.aot_compile(torch.nn.ReLU(), (torch.ones(2),))") == 1
    assert "\x1b" not in out


@pytest.mark.parametrize("words", [["--shard", "0/2"], ["--shard", "3/2"], ["--shard", "1"], ["--shard", "a/b"],
                                   ["--shard", "1/2", "--coverage"]])  # fmt: skip
def test_what_is_no_shard(project: Path, lint: Lint, words: list[str]) -> None:
    (project / "old.py").write_text(DEPRECATED, encoding="utf-8")
    assert lint("old.py", *words).code == 2
