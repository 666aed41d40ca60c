from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from aoti_lint.files import cache as caching
from aoti_lint.files.cache import Cache
from aoti_lint.ir import lower as lowering
from aoti_lint.ir import nodes
from aoti_lint.source.discovery import context
from aoti_lint.source.project import Project
from aoti_lint.text.problem import SourceProblem

EXPORTS = "import torch\nep = torch.export.export(m, (x,))\n"


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_files_and_modules(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": EXPORTS, "b.py": "x = 1\n", "pkg/c.py": "y = 2\n"})
    project = Project(tmp_path, ["b.py", "a.py"])
    assert project.root == tmp_path
    assert project.all_files == ["a.py", "b.py"]
    assert project.reported == ["a.py"]
    module = project.module("a.py")
    assert isinstance(module, nodes.Module)
    assert (module.path, len(module.body)) == ("a.py", 2)
    assert project.module("a.py") is module
    assert project.resolve("pkg.c", 0, "a.py") == "pkg/c.py"
    assert project.is_package("pkg", 0, "a.py")
    assert project.module_name("pkg/c.py") == "pkg.c"
    imported = project.module("pkg/c.py")
    assert imported is not None
    assert imported.path == "pkg/c.py"
    source = project.source("pkg/c.py")
    assert source is not None
    assert source.text == "y = 2\n"
    assert set(project.content_hashes()) == {"a.py", "pkg/c.py"}
    assert project.problems == []


def test_problems_are_noted_once(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": EXPORTS + "x = = 1\n", "b.py": ""})
    (tmp_path / "b.py").write_bytes(b"import torch\nx = torch.export, '\xff'\n")
    project = Project(tmp_path, ["a.py", "b.py", "gone.py"])
    assert project.reported == ["a.py", "b.py"]
    for _ in range(2):
        assert project.module("a.py") is None
        assert project.module("b.py") is None
        assert project.source("b.py") is None
        assert project.module("gone.py") is None
        assert project.module("never/named.py") is None
    assert [(problem.path, problem.offset) for problem in project.problems] == [
        ("a.py", EXPORTS.encode().__len__() + 4),
        ("b.py", None),
        ("gone.py", None),
    ]


def test_overlay(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "x = 1\n", "b.py": "import a\n"})
    project = Project(tmp_path, ["b.py"], overlay={"a.py": EXPORTS.encode(), "new.py": EXPORTS.encode()})
    assert project.all_files == ["a.py", "b.py", "new.py"]
    assert project.reported == ["a.py", "new.py"]
    module = project.module("a.py")
    assert module is not None
    assert len(module.body) == 2


def test_context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        tmp_path,
        {"a.py": EXPORTS, "ops/fakes.py": "@torch.library.register_fake('a::b')\ndef f(x): ...\n",
        "csrc/op.cpp": "TORCH_LIBRARY(a, m) {}\n", "plain.py": "import torch\n", "venv/x.py": "register_fake",
        "ignored/x.py": "register_fake", "notes.md": "register_fake", "skipped/x.py": "register_fake",
        "named.py": "aoti_load_package"},
    )  # fmt: skip
    (tmp_path / ".gitignore").write_text("ignored/\n", encoding="utf-8")
    project = Project(tmp_path, ["a.py", "named.py", "ignored/x.py"], exclude=["skipped/"])
    assert project.context() == ["csrc/op.cpp", "ignored/x.py", "named.py", "ops/fakes.py"]
    assert project.context_complete

    monkeypatch.setattr(context, "MOST_FILES", 3)
    assert not Project(tmp_path, ["a.py"]).context_complete
    monkeypatch.undo()
    monkeypatch.setattr(context, "LARGEST_FILE", 25)
    project = Project(tmp_path, ["a.py"])
    assert not project.context_complete
    assert "csrc/op.cpp" in project.context()


def test_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a.py": EXPORTS, "b.py": EXPORTS, "c.py": "x = 1\n"})
    before = Project(tmp_path, ["a.py"], cache=Cache(tmp_path / "cache"))
    first = before.module("a.py")
    before.remember()
    lowered: list[str] = []
    genuine = lowering.lower

    def counted(text: str, path: str, bodies: lowering.Bodies) -> nodes.Module:
        lowered.append(path)
        return genuine(text, path, bodies)

    monkeypatch.setattr(lowering, "lower", counted)
    project = Project(tmp_path, ["a.py"], cache=Cache(tmp_path / "cache"))
    assert project.module("a.py") == first
    same_text = project.module("b.py")
    assert same_text is not None
    assert same_text.path == "b.py"
    assert lowered == []
    assert project.module("c.py") is not None
    assert lowered == ["c.py"]

    (tmp_path / "a.py").write_text(EXPORTS + "y = 1\n", encoding="utf-8")
    changed = Project(tmp_path, ["a.py"], cache=Cache(tmp_path / "cache")).module("a.py")
    assert changed is not None
    assert len(changed.body) == 3

    for path in (tmp_path / "cache" / "ir").rglob("*.json"):
        path.write_text('[0, 1, "', encoding="utf-8")
    again = Project(tmp_path, ["b.py"], cache=Cache(tmp_path / "cache")).module("b.py")
    assert again is not None
    assert again.body == same_text.body

    monkeypatch.setattr(caching, "tool_stamp", lambda carried: "another tool, or another Python")
    lowered.clear()
    Project(tmp_path, ["b.py"], cache=Cache(tmp_path / "cache")).module("b.py")
    assert lowered == ["b.py"]


def test_bodies_are_lowered_once(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": EXPORTS + "def f():\n" + "    g(1)\n" * 50})
    kinds = []
    for _ in range(3):
        project = Project(tmp_path, ["a.py"], cache=Cache(tmp_path / "cache"))
        module = project.module("a.py")
        assert module is not None
        function = module.body[-1]
        assert isinstance(function, nodes.FunctionDef)
        kinds.append(type(function.code))
        assert len(function.body) == 50
        project.remember()
    assert kinds == [nodes.Later, nodes.Body, nodes.Body]


def test_a_notebook_is_not_its_bytes_as_python(tmp_path: Path) -> None:
    text = '{"cells": [{"cell_type": "code", "source": "import torch; torch.export"}]}\n'
    write(tmp_path, {"a.py": text, "a.ipynb": text})
    cache = Cache(tmp_path / "cache")
    python = Project(tmp_path, ["a.py"], cache=cache).module("a.py")
    notebook = Project(tmp_path, ["a.ipynb"], cache=cache).module("a.ipynb")
    assert python is not None
    assert notebook is not None
    assert (len(python.body), len(notebook.body)) == (1, 2)


@pytest.mark.parametrize("cached", [True, False])
def test_files_are_lowered_when_they_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cached: bool
) -> None:
    write(tmp_path, {"a.py": EXPORTS, "b.py": EXPORTS + "x = = 1", "c.py": EXPORTS + "y = 'é'\n"})
    cache = Cache(tmp_path / "cache") if cached else None
    files = ["a.py", "b.py", "c.py"]
    project = Project(tmp_path, files, cache=cache)
    modules = [project.module(path) for path in files]
    assert [module and len(module.body) for module in modules] == [2, None, 3]
    assert [module.path for module in modules if module] == ["a.py", "c.py"]
    assert [problem.path for problem in project.problems] == ["b.py"]
    if cached:
        project.remember()
        monkeypatch.setattr(lowering, "lower", None)
        assert [Project(tmp_path, files, cache=cache).module(path) for path in ("a.py", "c.py")] == [
            modules[0], modules[2],
        ]  # fmt: skip


def test_files_of_one_content_are_lowered_once(tmp_path: Path) -> None:
    same = EXPORTS + "def f():\n" + "    x = 1\n" * 40
    write(tmp_path, {"a.py": same, "b.py": same, "c.py": same + "y = 1\n", "d.pyi": same})
    files = ["a.py", "b.py", "c.py"]
    project = Project(tmp_path, files)
    a, b, c, d = (project.module(path) for path in (*files, "d.pyi"))
    assert a is not None
    assert b is not None
    assert c is not None
    assert d is not None
    assert [one.path for one in (a, b, c, d)] == [*files, "d.pyi"]
    assert a.body is b.body is d.body
    assert a.body is not c.body


def test_a_body_that_cannot_be_lowered_is_noted_for_every_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    same = EXPORTS + "def f():\n" + "    x = 1\n" * 40
    write(tmp_path, {"a.py": same, "b.py": same})
    project = Project(tmp_path, ["a.py", "b.py"])
    modules = [project.module(path) for path in ("a.py", "b.py")]

    def fails(bodies: lowering.Bodies, start: int, end: int) -> nodes.Body:
        raise SourceProblem("a.py", "unknown syntax")

    monkeypatch.setattr(lowering.Bodies, "_lower", fails)
    assert all(module and isinstance(module.body[-1], nodes.FunctionDef) for module in modules)
    assert modules[0]
    assert isinstance(modules[0].body[-1], nodes.FunctionDef)
    assert len(modules[0].body[-1].body) == 1
    assert [problem.path for problem in project.problems] == ["a.py", "b.py"]


def test_nothing_heavy_is_imported_for_nothing(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "import os\nfrom b import x\n", "b.py": "import torch\nx = 1  # torch.export\n"})
    program = f"""
import json, sys
before = set(sys.modules)
from aoti_lint.source.discovery.discover import discover
from aoti_lint.source.project import Project
found = discover([{str(tmp_path / "a.py")!r}])
assert Project(found.root, found.files).reported == []
print(json.dumps(sorted(set(sys.modules) - before)))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    imported = set(json.loads(done.stdout))
    assert "aoti_lint.source.project" in imported
    heavy = {
        "libcst",
        "pathspec",
        "pydantic",
        "rich",
        "ast",
        "tokenize",
        "dataclasses",
        "pathlib",
        "concurrent.futures",
    }
    assert imported & heavy == set()
