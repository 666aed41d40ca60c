"""The folders of the tests are the rooms of the code, and some instruments that look at the whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.structure.imports import ROOT

TESTS = ROOT / "tests"
INSTRUMENTS = {
    "benchmarks": "the benchmarks themselves",
    "bounds": "no command runs code of the user's that it should not",
    "cost": "small sources that would take long",
    "fuzz": "sources made at random, and what was found with them",
    "hostile": "inputs made to break a reader",
    "metamorphic": "changes of a script that change nothing that is found",
    "mutation": "right fakes that are broken in known ways",
    "oracle": "what torch does, recorded, beside what is claimed",
    "package": "archives of real torch, alone and beside scripts",
    "packaging": "wheels, environments, rule packages of others, hooks",
    "planted": "one mistake planted in a file of a published package",
    "projects": "projects in the idioms of real ones, with labels",
    "proof": "scripts that show that torch does what a rule says",
    "random_scripts": "scripts made at random, run in torch and judged",
    "rules": "the rules, which stand beside aoti_lint",
    "session": "whatever was edited, what is said is what would be said afresh",
    "structure": "who imports whom, and how the tests lie",
    "sweep": "what is found in published code, judged by reading",
    "truth": "scripts with what torch did to them",
}
"""Folders of tests that are about no room alone, and what each is."""


def rooms(top: Path) -> set[str]:
    return {path.parent.name for path in top.glob("*/__init__.py")}


def has_tests(folder: Path) -> bool:
    return any(folder.rglob("test_*.py"))


def test_every_folder_of_tests_is_a_room_or_an_instrument() -> None:
    folders = {path.name for path in TESTS.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders - rooms(ROOT / "aoti_lint") == INSTRUMENTS.keys()


@pytest.mark.parametrize("name", sorted(rooms(ROOT / "aoti_lint")))
def test_every_room_has_tests(name: str) -> None:
    assert has_tests(TESTS / name)


def test_every_library_has_tests() -> None:
    """The models are one room of many: their tests lie as they do."""
    models = rooms(ROOT / "aoti_lint/models")
    assert rooms(TESTS / "models") == models
    assert [name for name in sorted(models) if not has_tests(TESTS / "models" / name)] == []
