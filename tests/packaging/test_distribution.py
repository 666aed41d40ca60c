"""However aoti-lint is installed, its rules are found, and nothing named `rules` gets in anybody's way."""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from aoti_lint.catalogue.registry import load
from tests.packaging.environments import PROJECT, Environment, build, clone, run, small_wheel

pytestmark = pytest.mark.skipif(not (PROJECT / ".git").exists(), reason="what belongs to the project, git knows")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clone(tmp_path_factory.mktemp("clone"))


@pytest.fixture(scope="module")
def wheel(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(project, "wheel", tmp_path_factory.mktemp("wheel"))


def names(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def listed(text: str) -> list[str]:
    """The codes in the list of rules."""
    return [line.split()[0] for line in text.splitlines()]


def built_in() -> list[str]:
    return [rule.code for rule in load() if type(rule).__module__.startswith("aoti_lint.rules.")]


def test_the_wheel_holds_the_rules_inside_the_package_and_nothing_beside_it(project: Path, wheel: Path) -> None:
    assert {name.split("/")[0].split("-")[0] for name in names(wheel)} == {"aoti_lint"}
    rules = {f"aoti_lint/{path.relative_to(project).as_posix()}" for path in (project / "rules").rglob("*.py")}
    assert {name for name in names(wheel) if name.startswith("aoti_lint/rules/")} == rules
    assert {"aoti_lint/py.typed", "aoti_lint/report/vscode-problem-matcher.json"} <= names(wheel)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names(wheel))
    assert not any("__pycache__" in name for name in names(wheel))


def test_the_source_distribution_builds_the_same_wheel(project: Path, wheel: Path, tmp_path: Path) -> None:
    sdist = build(project, "sdist", tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    again = build(unpacked, "wheel", tmp_path / "wheel")
    one, other = zipfile.ZipFile(wheel), zipfile.ZipFile(again)
    assert names(again) == names(wheel)
    assert all(one.read(name) == other.read(name) for name in names(wheel))


def test_the_wheel_works_beside_a_distribution_that_owns_rules(wheel: Path, tmp_path: Path) -> None:
    environment = Environment(tmp_path / "venv")
    environment.install(wheel, small_wheel("neighbour", {"rules/__init__.py": "OWNER = 'neighbour'\n"}, tmp_path))
    assert listed(run(environment.command, "explain", cwd=tmp_path)) == built_in()
    assert run(environment.python, "-c", "import rules; print(rules.OWNER)", cwd=tmp_path) == "neighbour\n"
    assert not (environment.site / "aoti_lint.py").exists()
    where = run(environment.python, "-c", "import aoti_lint.rules as r; print(r.__file__)", cwd=tmp_path)
    assert Path(where.strip()) == environment.site / "aoti_lint/rules/__init__.py"


def test_an_editable_install_finds_the_rules_of_the_checkout(project: Path, tmp_path: Path) -> None:
    environment = Environment(tmp_path / "venv")
    environment.install("-e", project)
    assert listed(run(environment.command, "explain", cwd=tmp_path)) == built_in()


def test_a_clone_works_without_installation(project: Path) -> None:
    assert listed(run(sys.executable, "-m", "aoti_lint", "explain", cwd=project)) == built_in()
