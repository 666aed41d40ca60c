"""What libcst reads as well comes out the same, in every field and at every place."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from aoti_lint.ir.lower import lower
from tests.ir.from_ast.both import by_ast, by_libcst, compare, texts
from tests.ir.reference import compare as compare_with_python

ROOT = Path(__file__).parents[3]
LIBRARY = Path(os.__file__).parent
TRAPS = (Path(__file__).parent / "traps.txt").read_text(encoding="utf-8").split("\n\n")
# A statement at the end which makes the body long enough to be left out.
LONG = f"'''{'x' * 160}'''\n"
AROUND: dict[str, Callable[[str], str]] = {
    "alone": lambda text: text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "form feeds": lambda text: "\f" + text.replace("\n", "\n\f"),
    "no last newline": lambda text: text.rstrip("\n"),
    "a body": lambda text: f"def f():\n{textwrap.indent(text, '  ')}  {LONG}",
    "a body behind what is not ASCII": lambda text: (
        f"é = 'é' ; \\\n\nclass é:\n\tdef f():\n{textwrap.indent(text, chr(9) * 2)}\t\t{LONG}"
    ),
    "a body at the end": lambda text: f"def f():\n  {LONG}{textwrap.indent(text, '  ')}\n\n # c\n",
}


@pytest.mark.filterwarnings("ignore:invalid escape")
def test_every_trap_is_read_by_some_python() -> None:
    """By libcst at least, whose syntax is the newest."""
    assert [trap for trap in TRAPS if by_libcst(f"{trap}\n") is None] == []


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND)
def test_traps(around: Callable[[str], str]) -> None:
    found = {trap: how for trap in TRAPS if (how := compare(around(f"{trap}\n")))}
    assert found == {}


@pytest.mark.filterwarnings("ignore:invalid escape")
def test_most_traps_are_compared() -> None:
    read = [trap for trap in TRAPS if by_ast(f"{trap}\n") is not None]
    assert len(read) > len(TRAPS) - 20


@pytest.mark.parametrize("folder", sorted(path.parent.name for path in ROOT.glob("aoti_lint/*/__init__.py")))
def test_our_own_sources(folder: str) -> None:
    found = {str(path): how for path, text in texts(ROOT / "aoti_lint" / folder) if (how := compare(text))}
    assert found == {}


@pytest.mark.parametrize("folder", ["rules", "scripts", "benchmarks", "tests/truth"])
def test_scripts(folder: str) -> None:
    assert {str(path): how for path, text in texts(ROOT / folder) if (how := compare(text))} == {}


@pytest.mark.parametrize("package", ["asyncio", "concurrent", "email", "importlib", "json", "xml"])
def test_packages_of_the_library(package: str) -> None:
    assert {str(path): how for path, text in texts(LIBRARY / package) if (how := compare(text))} == {}


def of_pythons_tests() -> list[Path]:
    """The tests that Python has of its syntax, where they are installed."""
    names = "dictcomps exception_group extcall fstring genexps grammar lambda listcomps named_expressions patma "
    names += "positional_only_arg pep646_syntax string_literals syntax tstring type_params unpack unpack_ex with"
    paths = [LIBRARY / "test" / f"test_{name}.py" for name in names.split()]
    return [path for path in paths if path.exists()]


@pytest.mark.parametrize("path", of_pythons_tests(), ids=lambda path: path.stem)
def test_the_tests_of_pythons_syntax(path: Path) -> None:
    assert compare(path.read_text(encoding="utf-8")) is None


@pytest.mark.parametrize(
    ("text", "size"),
    [
        # Brackets around the target of an annotation.
        ("(x): int = 1\n", 1),
        ("def f():\n  (x.y): int\n", 1),
        # Patterns deeper than libcst has the time for.
        (f"match a:\n  case {'[' * 100}b{']' * 100}: pass\n", 1),
    ],
)
def test_what_libcst_does_not_read(text: str, size: int) -> None:
    assert len(lower(text, "a.py").body) == size


@pytest.mark.parametrize("body", [f"  \\\n  {LONG}", f"  {LONG[:-1]} \\\n\n", f"  \\\nx = 1\n  {LONG}"])
def test_lines_that_need_those_beside_them(body: str) -> None:
    """A body that goes on from the line before it, or whose last line goes on, is read as it stands."""
    text = f"def f():\n{body}\ny = 1\n"
    assert compare_with_python(text, lower(text, "a.py"))
    assert compare(text) is None
