"""Which files are copies, and what is said of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.cli.main import main
from aoti_lint.source.project import Project
from aoti_lint.source.ties.copies import copies

EXPORT = "import torch\ntorch._export.aot_compile(torch.nn.Linear(2, 2), (torch.ones(1, 2),))\n"
USES = "import torch\nimport model\ntorch.export.export(model.make(), ())\n"
WRITES = "import torch\ntorch._inductor.aoti_compile_and_package(ep, package_path='m.pt2')\n"
LOADS = "import torch\ntorch._inductor.aoti_load_package('m.pt2')\n"
IMPORTS = "import torch\nfrom . import a\ntorch.export.export(a.m, {})\n"
READS = "import json, torch\nif json.load(open('sizes.json')): torch.export.export(m, ())\n"


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def found(folder: Path, files: dict[str, str]) -> dict[str, list[str]]:
    write(folder, files)
    named = [name for name in files if name.endswith((".py", ".ipynb", ".sh"))]
    project = Project(folder, named, settings=[name for name in named if name.endswith(".sh")])
    return copies(project, lambda path: path.startswith("judged/otherwise"))


@pytest.mark.parametrize(
    ("files", "first"),
    [
        ({"1.0/a.py": EXPORT, "1.1/a.py": EXPORT, "a.py": EXPORT}, {"a.py": ["1.0/a.py", "1.1/a.py"]}),
        ({"1/a.py": USES, "1/model.py": EXPORT, "2/a.py": USES, "2/model.py": EXPORT},
         {"1/a.py": ["2/a.py"], "1/model.py": ["2/model.py"]}),
        ({"1/a.py": USES, "1/model.py": "", "2/a.py": USES, "2/model.py": ""}, {"1/a.py": ["2/a.py"]}),
        ({"1/w.py": WRITES, "1/r.py": LOADS, "2/w.py": WRITES, "2/r.py": LOADS},
         {"1/w.py": ["2/w.py"], "1/r.py": ["2/r.py"]}),
        ({"1/a.py": READS, "1/sizes.json": "[1]", "2/a.py": READS, "2/sizes.json": "[1]"}, {"1/a.py": ["2/a.py"]}),
    ],
)  # fmt: skip
def test_copies(tmp_path: Path, files: dict[str, str], first: dict[str, list[str]]) -> None:
    assert found(tmp_path, files) == first


@pytest.mark.parametrize(
    "files",
    [
        {"1/a.py": EXPORT, "2/a.py": EXPORT + "#"},
        {"1/a.py": EXPORT, "2/b.py": EXPORT},
        {"1/a.py": "", "2/a.py": ""},
        {"a.py": EXPORT, "judged/otherwise/a.py": EXPORT},
        # What they use differs.
        {"1/a.py": USES, "1/model.py": "", "2/a.py": USES, "2/model.py": "#"},
        {"1/a.py": USES, "1/model.py": "", "2/a.py": USES},
        {"1/a.py": READS, "1/sizes.json": "[1]", "2/a.py": READS, "2/sizes.json": "[2]"},
        {"1/test_a.py": EXPORT, "1/conftest.py": "#", "2/test_a.py": EXPORT, "2/conftest.py": ""},
        # What goes with them differs.
        {"1/a.py": WRITES, "1/b.py": LOADS, "2/a.py": WRITES, "2/b.py": LOADS + "#"},
        {"1/a.py": WRITES, "1/b.py": LOADS, "2/a.py": WRITES},
        # Somebody uses each of them.
        {"1/a.py": EXPORT, "1/u.py": IMPORTS.format("()"), "1/__init__.py": "",
         "2/a.py": EXPORT, "2/u.py": IMPORTS.format("[]"), "2/__init__.py": ""},
        {"1/a.py": EXPORT, "2/a.py": EXPORT, "run.sh": "B=1 python 2/a.py\n"},
    ],
)  # fmt: skip
def test_no_copies(tmp_path: Path, files: dict[str, str]) -> None:
    assert found(tmp_path, files) == {}


def checked(folder: Path, *words: str) -> dict[str, Any]:
    report = folder / "report.json"
    options = ["--output-format", "json", "--output-file", str(report), "--no-cache", "--torch-version", "2.13"]
    main(["check", *options, *words])
    told: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    report.unlink()
    return told


def places(told: dict[str, Any]) -> list[tuple[str, list[str]]]:
    return [(item["filename"], item["copies"]) for item in told["diagnostics"]]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"1/a.py": EXPORT, "2/a.py": EXPORT, "3/a.py": EXPORT, "quiet.py": ""})
    return tmp_path


def test_what_is_found_is_told_once(tree: Path) -> None:
    told = checked(tree, ".")
    assert places(told) == [("1/a.py", ["2/a.py", "3/a.py"])]
    summary = told["summary"]
    assert [summary[name] for name in ("files", "analysed", "copies", "quiet")] == [4, 1, 2, 1]


def test_a_copy_that_is_named_alone(tree: Path) -> None:
    assert places(checked(tree, "2/a.py")) == [("2/a.py", [])]


def test_what_a_copy_uses_changes_later(tree: Path) -> None:
    """What is remembered of a run depends on the files that say that its files are copies."""
    uses = f"import model\n{EXPORT}"
    files = {"1/b.py": uses, "2/b.py": uses, "1/model.py": "torch = 1\n", "2/model.py": "torch = 1\n"}
    write(tree, files)
    words = ["check", "--cache-dir", "kept", "--torch-version", "2.13", "--output-format", "json=o.json"]
    copied = []
    for text in ("torch = 1\n", "torch = 2\n"):
        write(tree, {"2/model.py": text})
        main([*words, "1/b.py", "2/b.py"])
        copied.append(places(json.loads((tree / "o.json").read_text(encoding="utf-8"))))
    assert copied == [[("1/b.py", ["2/b.py"])], [("1/b.py", []), ("2/b.py", [])]]


def test_copies_below_folders_for_other_versions(tree: Path) -> None:
    write(tree, {"3/requirements.txt": "torch==2.6.0\n", "2/requirements.txt": "torch==2.12.0\n"})
    main(["check", "--output-format", "json", "--output-file", "report.json", "--no-cache", "."])
    told = json.loads((tree / "report.json").read_text(encoding="utf-8"))
    assert places(told) == [("1/a.py", []), ("2/a.py", []), ("3/a.py", [])]


def test_what_is_ignored_in_one_of_them(tree: Path) -> None:
    write(tree, {"pyproject.toml": '[tool.aoti-lint.per-file-ignores]\n"1/*" = ["ALL"]\n'})
    assert places(checked(tree, ".")) == [("2/a.py", ["3/a.py"])]


def test_comments_in_copies(tree: Path) -> None:
    code = checked(tree, ".")["diagnostics"][0]["code"]
    text = EXPORT.replace(")\n", f")  # aoti-lint: ignore[{code}]\n")
    write(tree, dict.fromkeys(["1/a.py", "2/a.py", "3/a.py"], text))
    told = checked(tree, ".")
    assert (told["diagnostics"], told["summary"]["suppressed"]) == ([], 1)


def test_copies_that_cannot_be_parsed(tree: Path) -> None:
    write(tree, dict.fromkeys(["1/a.py", "2/a.py", "3/a.py"], EXPORT + "def\n"))
    told = checked(tree, ".")
    assert [problem["filename"] for problem in told["errors"]] == ["1/a.py", "2/a.py", "3/a.py"]
    assert len({repr(problem["location"]) for problem in told["errors"]}) == 1


def test_in_text(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tree, dict.fromkeys(["4/a.py", "5/a.py"], EXPORT))
    main(["check", "--no-cache", "--torch-version", "2.13", "."])
    text = capsys.readouterr().out
    assert " = copies: the same code is in 2/a.py, 3/a.py, 4/a.py and 1 more file\n" in text
    assert "\n4 more are copies of these: a finding names them.\n" in text
