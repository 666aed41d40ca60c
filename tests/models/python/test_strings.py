"""Strings: constants are computed, of texts with unknown parts only what is sure is said."""

from __future__ import annotations

import pytest

from aoti_lint.values.values import Const, Sym, Text, Unknown
from tests.snippets import run

OPTION = "import os\nx = os.environ.get('X', 'Cuda')\n"


@pytest.mark.parametrize(
    "expression",
    [
        "'a,b'.split(',')", "'a.b.c'.rsplit('.', 1)", "'model.pt2'.removesuffix('.pt2')", "' x '.strip()",
        "'7'.zfill(3)",
        "'{}-{k}'.format(1, k='b')", "'{0:>4}'.format(2)", "'/'.join(['a', 'b'])", "''.join(c for c in 'ab')",
        "'abc'[1:]",
        "'abc'[-1]", "'a=b'.partition('=')", "'cuda:0'.startswith(('cuda', 'xpu'))", "'x'.encode()", "b'x'.decode()",
        "'b' in 'abc'", "'z' not in 'abc'", "'a\\nb'.splitlines()", "'abc'.replace('b', 'x').upper()", "'12'.isdigit()",
        "'%s_%d' % ('a', 3)", "'abc'.find('c')", "'a b'.title()",
    ],
)  # fmt: skip
def test_constants_are_computed_as_python_does(expression: str) -> None:
    assert run(f"made = {expression}\n").python("made") == eval(expression)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("f'm_{x}.pt2'.endswith('.pt2')", True),
        ("f'm_{x}.pt2'.endswith(('.so', '.pt2'))", True),
        ("f'm_{x}.pt2'.startswith('n')", False),
        ("'pt2' in f'm_{x}.pt2'", True),
        ("f'm_{x}.pt2'.rsplit('.', 1)[1]", "pt2"),
        ("f'm_{x}.pt2'.rpartition('.')[2]", "pt2"),
        ("f'm:{x}'.split(':', 1)[0]", "m"),
    ],
)
def test_what_is_sure_of_a_text_with_unknown_parts(expression: str, expected: object) -> None:
    assert run(f"{OPTION}made = {expression}\n").python("made") == expected


def test_removing_a_known_end_keeps_the_unknown_part() -> None:
    ran = run(f"{OPTION}a = f'm_{{x}}.pt2'.removesuffix('.pt2')\nb = f'm_{{x}}'\n")
    assert isinstance(ran.value("a"), Text)
    assert ran.value("a") == ran.value("b")


@pytest.mark.parametrize("expression", ["f'{x}.pt2'.endswith('5.pt2')", "f'm_{x}'.replace('m', 'n')", "f'{x}'[0]"])
def test_what_is_not_sure_of_a_text_is_not_said(expression: str) -> None:
    assert not isinstance(run(f"{OPTION}made = {expression}\n").value("made"), Const)


def test_an_option_made_lower_case_keeps_its_default() -> None:
    ran = run(f"{OPTION}made = x.lower()\nagain = x.lower()\n")
    made = ran.value("made")
    assert isinstance(made, Sym)
    assert made == ran.value("again")
    assert made.default == Const("cuda")


def test_questions_about_one_option_exclude_each_other() -> None:
    ran = run(
        f"{OPTION}seen = 'nothing'\n"
        "if x.startswith('cuda'):\n    seen = 'cuda'\n    if x == 'cpu':\n        seen = 'both'\n"
        "if x == 'cuda:1':\n    if x.startswith('cuda'):\n        seen = 'certain'\n    else:\n        seen = 'never'\n"
        "if x.startswith('xpu') and x.startswith('cuda'):\n    seen = 'impossible'\n"
    )
    assert set(ran.arms("seen")) == {"nothing", "cuda", "certain"}


def test_joining_unknown_strings_is_unknown() -> None:
    assert isinstance(run("import other\nmade = ','.join(other.names)\n").value("made"), Unknown)


def test_alternatives_are_formatted_one_by_one() -> None:
    ran = run(f"{OPTION}kind = 'a' if x == 'y' else 'b'\nf = f'{{kind}}.pt2'\ng = '{{}}.pt2'.format(kind)\n")
    assert ran.arms("f") == ["a.pt2", "b.pt2"]
    assert ran.arms("g") == ["a.pt2", "b.pt2"]


def test_a_converted_option_keeps_its_default() -> None:
    ran = run(
        "import os\nn = int(os.environ.get('N', '8'))\nr = repr('a')\n"
        "f = format(2.5, '.2f')\nagain = int(os.environ.get('N', '8'))\n"
    )
    made = ran.value("n")
    assert isinstance(made, Sym)
    assert made.default == Const(8)
    assert made == ran.value("again")
    assert [ran.python("r"), ran.python("f")] == ["'a'", "2.50"]


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("'%s/%s' % (x, 'a.pt2')", "f'{x}/a.pt2'", True),
        ("'%s-%d.pt2' % (x, 3)", "f'{x}-3.pt2'", True),
        ("'%5s' % (x,)", "'%5s' % (x,)", True),
        ("'%5s' % (x,)", "'%6s' % (x,)", False),
        ("f'{x:5}'", "f'{x:5}'", True),
        ("f'{x:5}'", "f'{x:6}'", False),
        ("f'{x!r}'", "f'{x:5}'", False),
    ],
)
def test_formatted_unknowns(first: str, second: str, same: bool) -> None:
    ran = run(f"{OPTION}a = {first}\nb = {second}\n")
    assert (ran.value("a") == ran.value("b")) is same


def test_a_format_is_not_the_beginning_of_what_it_makes() -> None:
    assert run(f"{OPTION}a = ('%6s' % (x,)).startswith('%')\n").python("a") is not True


@pytest.mark.parametrize(
    "expression",
    [
        "'%1000000000d' % 3", "'%*d' % (10**9, 3)", "f'{3:1000000000}'", "'{:1000000000}'.format(3)",
        "'{:{}}'.format(3, 10**9)", "format(3, '1000000000')", "'x'.ljust(10**9)", "'x'.zfill(10**9)",
    ],
)  # fmt: skip
def test_texts_too_large_to_follow(expression: str) -> None:
    assert not isinstance(run(f"a = {expression}\n").value("a"), Const)


@pytest.mark.parametrize("step", ["s + s", "f'{s}{s}'", "'%s%s' % (s, s)", "'{}{}'.format(s, s)", "''.join([s, s])"])
@pytest.mark.parametrize("start", ["'a'", "x"])
def test_texts_that_double(step: str, start: str) -> None:
    ran = run(f"{OPTION}s = {start}\n" + f"s = {step}\n" * 100)
    assert len(repr(ran.value("s"))) < 10_000
