"""Paths: joined and taken apart as Python does, and told apart as files."""

from __future__ import annotations

import pathlib
import posixpath

import pytest

from aoti_lint.language.data.defaults import by_default
from aoti_lint.language.data.paths import path_key, same_file
from aoti_lint.values.values import Const, Unknown
from tests.snippets import run

HEAD = "import os, tempfile, shutil\nfrom pathlib import Path\nx = os.environ.get('X', 'out')\n"


@pytest.mark.parametrize(
    "expression",
    [
        "str(Path('a', 'b') / 'c.pt2')", "Path('a/b.pt2').name", "Path('a/b.pt2').stem", "Path('a/b.pt2').suffix",
        "str(Path('a/b.pt2').parent)", "str(Path('a/b.pt2').with_suffix('.so'))", "str(Path('a/b.pt2').with_name('c'))",
        "str(Path('a/b.pt2').with_stem('c'))", "str(Path('a') / '/b')", "str('a' / Path('b'))", "str(Path('./a//b/'))",
        "Path('a').joinpath('b', 'c').as_posix()", "str(Path('/a/b/c').parents[1])", "Path('a.tar.gz').suffix",
        "os.path.join('a', 'b', 'c')", "os.path.join('a/', 'b')", "os.path.join('a', '/b')", "os.path.dirname('a/b.c')",
        "os.path.basename('a/b.c')",
        "os.path.splitext('a/b.c')", "os.path.split('a/b.c')", "os.path.normpath('a/../b')",
        "os.path.dirname('m.pt2')", "os.path.isabs('/a')", "os.fspath(Path('a'))", "Path('a').is_absolute()",
        "f\"{Path('a') / 'b'}.pt2\"",
    ],
)  # fmt: skip
def test_constants_are_computed_as_python_does(expression: str) -> None:
    expected = eval(
        expression, {"Path": pathlib.PurePosixPath, "os": type("os", (), {"path": posixpath, "fspath": str})}
    )
    assert run(f"{HEAD}made = {expression}\n").python("made") == expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("'out/m.pt2'", "Path('out') / 'm.pt2'"),
        ("'./out//m.pt2'", "os.path.join('out', 'm.pt2')"),
        ("'out/sub/../m.pt2'", "'out/m.pt2'"),
        ("'m.pt2'", "Path('m.pt2').resolve()"),
        ("'m.pt2'", "os.path.abspath('m.pt2')"),
        ("'m.pt2'", "Path.cwd() / 'm.pt2'"),
        ("'m.pt2'", "os.path.join(os.getcwd(), 'm.pt2')"),
        ("'~/m.pt2'", "Path.home() / 'm.pt2'"),
        ("Path(x) / 'm.pt2'", "f'{x}/m.pt2'"),
        ("os.path.join(x, 'm.pt2')", "str(Path(x) / 'm.pt2')"),
        ("(Path(x) / 'm.pt2').with_suffix('.so')", "os.path.splitext(f'{x}/m.pt2')[0] + '.so'"),
        ("Path(x) / f'm_{x}.pt2'", "x + '/m_' + x + '.pt2'"),
        ("(Path(x) / 'a' / 'm.pt2').parent", "Path(x, 'a')"),
        ("Path('m.pt2').resolve().parent / 'n.pt2'", "'n.pt2'"),
        ("Path('m.pt2').resolve().parent.parent / 'n.pt2'", "'../n.pt2'"),
        ("Path(__file__).parent / 'm.pt2'", "os.path.join(os.path.dirname(os.path.abspath(__file__)), 'm.pt2')"),
        ("Path(__file__).resolve().parents[1] / 'm.pt2'", "Path(__file__).parent.parent / 'm.pt2'"),
        (r"'out\\m.pt2'", "'out/m.pt2'"),
        ("open('m.pt2', 'rb')", "Path('m.pt2').open('rb')"),
    ],
)
def test_two_ways_to_name_one_file(first: str, second: str) -> None:
    ran = run(f"{HEAD}a = {first}\nb = {second}\n", "scripts/tool.py")
    assert ran.key("a") == ran.key("b")
    assert same_file(ran.key("a"), ran.key("b")) == "yes"


@pytest.mark.parametrize(
    ("first", "second", "answer"),
    [
        ("'m.pt2'", "'n.pt2'", "no"),
        ("'a/m.pt2'", "'b/m.pt2'", "no"),
        ("'m.pt2'", "'out/m.pt2'", "no"),
        ("'m.pt2'", "'/srv/m.pt2'", "no"),
        ("'m.pt2'", "Path(x) / 'm.pt2'", "maybe"),
        ("Path(__file__).parent / 'm.pt2'", "'m.pt2'", "maybe"),
        ("f'{x}/a/m.pt2'", "f'{x}/b/m.pt2'", "no"),
        ("f'{x}/m.pt2'", "os.path.join(os.environ['Y'], 'm.pt2')", "maybe"),
        ("x", "'m.pt2'", "no"),
        ("os.path.join(tempfile.mkdtemp(), 'm.pt2')", "os.path.join(tempfile.mkdtemp(), 'm.pt2')", "no"),
        ("os.path.join(tempfile.mkdtemp(), 'm.pt2')", "'m.pt2'", "no"),
        ("os.path.join(tempfile.mkdtemp(), 'm.pt2')", "os.path.join(tempfile.gettempdir(), 'm.pt2')", "no"),
        ("os.path.join(tempfile.mkdtemp(), 'm.pt2')", "os.path.expanduser('~/out/m.pt2')", "no"),
        ("os.path.join(tempfile.mkdtemp(), 'm.pt2')", "f'{x}/m.pt2'", "maybe"),
        ("os.path.join(tempfile.mkdtemp(), 'm.pt2')", "os.path.join(tempfile.gettempdir(), x, 'm.pt2')", "maybe"),
        ("f'{x}/m_1.pt2'", "f'{x}/m_2.pt2'", "no"),
        ("'/m.pt2'", "'m.pt2'", "no"),
    ],
)
def test_when_two_paths_may_name_one_file(first: str, second: str, answer: str) -> None:
    ran = run(f"{HEAD}a = {first}\nb = {second}\n")
    assert same_file(ran.key("a"), ran.key("b")) == answer
    assert same_file(ran.key("b"), ran.key("a")) == answer


def test_a_path_by_default() -> None:
    ran = run(f"{HEAD}made = Path(x) / 'm.pt2'\n")
    assert path_key(ran.m, by_default(ran.value("made"))) == ("out", "m.pt2")


@pytest.mark.parametrize(
    "expression", ["Path(x).name", "Path(x).parent", "Path(x).with_suffix('.so')", "os.path.splitext(x)"]
)
def test_parts_of_an_unknown_path_keep_their_default(expression: str) -> None:
    ran = run(HEAD.replace("'out'", "'a/b.pt2'") + f"made = {expression}\nagain = {expression}\n")
    assert ran.value("made") == ran.value("again")
    default = ran.plain(by_default(ran.value("made")))
    expected = eval(
        expression, {"Path": pathlib.PurePosixPath, "x": "a/b.pt2", "os": type("os", (), {"path": posixpath})}
    )
    assert default == (str(expected) if isinstance(expected, pathlib.PurePath) else expected)


def test_the_name_of_a_file_below_an_unknown_folder_is_known() -> None:
    assert run(f"{HEAD}made = (Path(x) / 'm.pt2').name\n").python("made") == "m.pt2"


def test_an_unknown_name_may_hold_folders() -> None:
    assert not isinstance(run(f"{HEAD}made = os.path.basename(f'{{x}}_m.pt2')\n").value("made"), Const)


def test_asking_twice_whether_a_file_is_there_gives_one_answer() -> None:
    ran = run(
        f"{HEAD}a = b = 0\nif os.path.exists('m.pt2'):\n    a = 1\n"
        f"if Path('./m.pt2').exists():\n    b = 1\nsame = a == b\n"
        "c = 0\nif os.path.exists('n.pt2'):\n    c = 1\nother = a == c\n"
    )
    assert ran.python("same") is True
    assert set(ran.arms("other")) == {True, False}


def test_a_file_that_was_copied_is_the_same_artefact() -> None:
    ran = run(f"{HEAD}shutil.copy('a.pt2', 'b.pt2')\n")
    assert isinstance(ran.m.read("files", "b.pt2"), Unknown)


def test_a_temporary_folder_is_one_folder_while_it_lives() -> None:
    ran = run(f"{HEAD}with tempfile.TemporaryDirectory() as d:\n"
              f"    a = os.path.join(d, 'm.pt2')\n    b = f'{{d}}/m.pt2'\n"
              "with tempfile.TemporaryDirectory() as d:\n    c = f'{d}/m.pt2'\n")  # fmt: skip
    assert ran.key("a") == ran.key("b")
    assert same_file(ran.key("a"), ran.key("c")) == "no"


def test_alternatives_stay_apart() -> None:
    ran = run(
        f"{HEAD}kind = 'a' if x == 'y' else 'b'\np = Path('out') / f'{{kind}}.pt2'\nq = os.path.join('out', kind)\n"
    )
    assert ran.arms("p") == ["out/a.pt2", "out/b.pt2"]
    assert ran.arms("q") == ["out/a", "out/b"]
