"""A rule package of somebody else: built, installed and run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aoti_lint.catalogue.registry import load
from aoti_lint.errors import CannotRun
from tests.packaging.environments import PROJECT, Environment, build, run, small_wheel

EXAMPLE = Path(__file__).with_name("example_rule")
SCRIPT = """\
import torch

model = torch._inductor.aoti_load_package("model.pt2")
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made = Environment(tmp_path_factory.mktemp("third-party") / "venv")
    made.install(PROJECT)
    made.install(build(EXAMPLE, "wheel", tmp_path_factory.mktemp("wheel")))
    return made


def test_its_rule_is_found_explained_selected_and_suppressed(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    assert "EX101 load-outside-serving (warning; style)" in run(environment.command, "explain", "EX1", cwd=tmp_path)
    command = (environment.command, "script.py", "--torch-version", "2.13", "--output-format", "concise")
    found = "script.py:3:9: warning EX101 load-outside-serving: a package is loaded outside of serving/\n"
    assert run(*command, cwd=tmp_path, code=1) == found
    assert run(*command, "--ignore", "load-outside-serving", cwd=tmp_path) == ""
    (tmp_path / "script.py").write_text(SCRIPT.rstrip() + "  # noqa: EX101\n", encoding="utf-8")
    assert run(*command, cwd=tmp_path) == ""


def test_nothing_is_remembered_with_it(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    run(environment.command, "script.py", "--cache-dir", "cache", cwd=tmp_path, code=1)
    assert not (tmp_path / "cache/run").exists()


BROKEN = {
    "broken_rules.py": "import no_such_module\n",
    "broken-1.dist-info/entry_points.txt": "[aoti_lint.rules]\nours = broken_rules\n",
}


def test_a_package_that_cannot_be_loaded_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aoti_lint.catalogue.plugins.sites", lambda: [str(tmp_path)])
    monkeypatch.setattr("aoti_lint.catalogue.registry.sites", lambda: [str(tmp_path)])
    monkeypatch.syspath_prepend(tmp_path)
    for path, text in BROKEN.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    message = "rule package ours .broken_rules. cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"
    with pytest.raises(CannotRun, match=message):
        load()


def test_what_is_not_installed_where_we_are_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process the import path is the user's, as it is in their pytest."""
    environment = Environment(tmp_path / "venv")
    environment.install(small_wheel("broken", BROKEN, tmp_path))
    monkeypatch.syspath_prepend(str(environment.site))
    monkeypatch.chdir(environment.site)
    assert "AOTI101" in load().names


def test_one_that_is_developed_in_the_checked_tree(tmp_path: Path) -> None:
    """An editable installation: it is installed, though its modules stand in a tree that is not imported from."""
    tree = tmp_path / "tree"
    tree.mkdir()
    shutil.copy(EXAMPLE / "aoti_lint_example.py", tree)
    environment = Environment(tmp_path / "venv")
    (environment.site / "editable.pth").write_text(f"{PROJECT}\n{tree}\n", encoding="utf-8")
    info = environment.site / "aoti_lint_example-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: aoti-lint-example\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[aoti_lint.rules]\nexample = aoti_lint_example\n", encoding="utf-8")
    explained = run(environment.python, "-m", "aoti_lint", "explain", "EX101", cwd=tree)
    assert "load-outside-serving" in explained
    paths = "from aoti_lint.isolated.safe_path import protect; protect(); import sys; print(*sys.path, sep='\\n')"
    safe = run(environment.python, "-c", paths, cwd=tree).splitlines()
    assert str(PROJECT) in safe
    assert str(tree) not in safe
