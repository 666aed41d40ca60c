"""Lowering, judged against Python's own parser."""

from __future__ import annotations

import ast
import os
import sys
import textwrap
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from aoti_lint.ir import nodes
from aoti_lint.ir.from_ast import expressions
from aoti_lint.ir.lower import Bodies, lower
from aoti_lint.source.text import read_source
from aoti_lint.text.lines import LineIndex
from aoti_lint.text.problem import SourceProblem
from tests.ir.reference import compare

STATEMENTS = {
    "assign": "a = b = c.d[0] = f(1)\n",
    "unpack": "a, (b, *c), [d] = x\n",
    "annotated": "x: int\ny: 'str' = 1\nself.z: list[int] = []\n",
    "augmented": "x += 1; x @= y; x //= 2; x **= 3; x >>= 1; x <<= 1; x |= 1\n"
    "x &= 1; x ^= 1; x %= 2; x -= 1; x *= 2; x /= 2\n",
    "delete": "del a, b[0], c.d\ndel (e)\ndel (f, g)\n",
    "raise": "raise\nraise E\nraise E() from e\n",
    "assert": "assert x\nassert x, 'why'\n",
    "scopes": "def f():\n    global a, b\n    def g():\n        nonlocal c\n",
    "imports": "import a, b.c as d\nfrom . import x\nfrom ..a.b import (c, d as e,)\nfrom m import *\n",
    "branches": "if a:\n    b\nelif c:\n    d\nelse:\n    e\n",
    "loops": "for a, b in c:\n    break\nelse:\n    pass\nwhile x:\n    continue\nelse:\n    y\n",
    "try": "try:\n    a\nexcept A:\n    b\nexcept (B, C) as e:\n    c\nexcept:\n    d\nelse:\n    e\nfinally:\n    f\n",
    "with": "with a as b, c, d() as (e, f):\n    pass\nwith (\n    a as b,\n    c,\n):\n    pass\n",
    "async": "async def f():\n    async with a as b:\n        await c\n    async for d in e:\n        yield d\n",
    "semicolons": "a; b ; c;\nif x: a; b\n",
    "decorators": "@a\n@ b.c(1)\n\n# comment\n@(d)\nasync def f(): pass\n@x\nclass C: pass\n",
    "class": "class A(B, *c, metaclass=M, **k):\n    'doc'\n    x = 1\n",
    "function": "def f(a, b: int, /, c=1, *d: str, e, f: int = 2, **g) -> None:\n    '''doc'''\n    return a, b\n",
    "star": "def f(*, a): pass\n",
    "generators": "def f():\n    x = yield\n    y = yield x, 1\n    yield from z\n    with (yield): pass\n"
    "def g():\n    return lambda: (yield)\n",
}
EXPRESSIONS = {
    "names": "None, True, False, ..., __debug__, x",
    "numbers": "1, 0xFF, 0b1_0, 1_000, 1.5e3, 2j, -1, +2, - 3.0, -2j, ~1, -x, --1, -(1), -True, not x",
    "strings": r"""'a', "b", '''c
d''', r'\n', b'\x00', u'x', 'a' "b" r'\c', b'a' b'b', '\N{EM DASH}', '\
x', 'é', '\u00e9\'"', rb'\d', Rb'\d'""",
    "attributes": "a.b.c, (a).b, a . b, (a\n .b).c, 1 .real",
    "subscripts": "a[0], a[1:2], a[::3], a[:, 0], a[1:2, ::3], a[b, c], a[(b, c)], a[()], a[ 1 : 2 ], a[x,]",
    "calls": "f(), f(a, b=1, *c, **d), f(a)(b)(c), f((a), b=(1)), f(x for x in y), f((x for x in y)), f( # c\n a, )",
    "operations": "a + b * c ** d, (a + b) * c, a @ b, a // b % c, a << b >> c, a & b | c ^ d, a - -b",
    "comparisons": "a < b <= c, a == b != c, a in b, a not  in b, a is b, a is  not b, (a < b) < c",
    "booleans": "a and b and c or d, (a and b) and c, a and (b and c), not a and b, a or b or c",
    "conditional": "a if b else c if d else e, (a if b else c) if d else e",
    "tuples": "(), (1,), (1, 2), ((1, 2), 3), ( # c\n 1, 2)",
    "displays": "[], [1, *a], {1, *b}, {}, {1: 2, **c, 'd': e}, [(1, 2), [3]]",
    "comprehensions": "[a for a in b], {a for a in b if c if d}, {a: b for a, b in c}, (a for a in b for c in d), "
    "[x for (x) in (y)]",
    "lambdas": "lambda: 0, lambda a, *b, c=1, **d: (a, b), lambda a, /, b: a, (lambda x: x)(1)",
    "walrus": "(a := 1), [b := 2], f(c := 3)",
    "formats": "f'', f'a', f'{a}', f'a{b}c{d!r:>{w}.{p}}', f'{{}}{a}', rf'\\d{a}', 'x' f'{a}' 'y', "
    "f'{ a = }', f'{a=!s:x}'",
    "formats of lines": "f'''\n{a\n}\n\\x41 {b:\\x41}'''",
    "quotes in formats": 'f"""\\n"{a}"\\n""", f\'\'\'\\n\'{b}"\\"\'\'\', f"\\"{a}\'\\""',
    "parentheses": "(a), ((a)), (a + b), (((a, b)))",
    "unicode": "é.ñ(ü='日本', ℌ=1), 'é' + ñ, [日本 for 日本 in é]",
    "tabs": "f(\ta,\tb )",
    "continued": "a + \\\n  b, \\\n c",
}


def check(text: str) -> nodes.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = lower(text, "a.py")
        assert compare(text, module)
    return module


@pytest.mark.parametrize("text", STATEMENTS.values(), ids=STATEMENTS)
def test_statements(text: str) -> None:
    check(text)


@pytest.mark.parametrize("text", EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_expressions(text: str) -> None:
    check(f"x = [\n{text}\n]\n")


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("last", [True, False])
def test_every_newline(newline: str, last: bool) -> None:
    text = "".join(STATEMENTS.values()) + "x = '''a\nb'''\nif x:\n\ty = (1,\n  2)  # é\n"
    text = text.replace("\n", newline)
    check(text if last else text[: -len(newline)])


@pytest.mark.parametrize(
    "text",
    [
        "import os\n\f\nx = 1\n",
        "import os\n\fdef f():\n    pass\n",
        "\fimport os\n",
        " \t\f\f  \fimport os\n",
        "if x:\n    a\n\f    b\n",
        "if x:\n    a\n    \fb\n",
        "f(\n\f a,\f b)\n",
        "é = '''\n\fabc'''\n\fx = f'''\n\f{a}'''\n",
        "# a\f\n\f# b\nx \f= 1\n",
    ],
)
def test_form_feeds(text: str) -> None:
    check(text)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["\n  ", "\n\n\t", "\n  # c\n", "\n    # c\n  # d\n ", "\n  # é\n\n ", "# c\n\f# d\n "])
def test_last_lines_of_blanks_and_comments(end: str, newline: str) -> None:
    check(f"def f():\n    return 'é'\n{end}".replace("\n", newline))


@pytest.mark.parametrize("text", ["\\\nimport os\n", "\\\r\n\\\r\nx = 1\r\n", "a\n\\\nb\n"])
def test_lines_that_begin_with_a_backslash(text: str) -> None:
    check(text)


@pytest.mark.parametrize("text", ["", "\n", "  ", "# only a comment", "\t\n\n", "\\\n\nx\n"])
def test_almost_empty(text: str) -> None:
    assert len(lower(text, "a.py").body) == text.count("x")


NEWER_SYNTAX = {
    "match": """
        match a, b:
            case 1 | -2 | 'x' | None | a.b: pass
            case [x, *_, y] if y: pass
            case (x, *rest): pass
            case x, *_: pass
            case {'a': 1, b.c: [z], **r}: pass
            case A() | A(1, b=C(d)) as e: pass
            case (1): pass
            case {}: pass
            case [ℌ, *ℜ]: pass
            case {'a': A(ℑ=b), **ℜ}: pass
            case _: pass
    """,
    "exception groups": """
        try:
            a
        except* (A, B) as e:
            b
        except *C:
            c
    """,
    "star in subscript": "a[*b], a[*b, c]\ndef f(*args: *Ts): pass\n",
}


@pytest.mark.parametrize("text", NEWER_SYNTAX.values(), ids=NEWER_SYNTAX)
def test_newer_syntax(text: str) -> None:
    text = textwrap.dedent(text)
    try:
        ast.parse(text)
    except SyntaxError:
        assert lower(text, "a.py").body
    else:
        check(text)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python's own parser reads these from 3.12 on")
@pytest.mark.parametrize(
    "text",
    [
        "type A = int\ntype B[T: int, *U, **V] = list[T]\n",
        "def f[T](a: T) -> T: ...\nclass A[T](B[T]): ...\n",
        "f'{f'{a['b']}'}', f'{a:{b:{c}}}', f'{\na # c\n}', f'{'''\n'''}'\n",
        "f'{a!s  }', f'{a!r  :>3}'\n",
    ],
)
def test_syntax_of_312(text: str) -> None:
    check(text)


def test_syntax_without_a_judge() -> None:
    """Syntax that Python's own parser may be too old for."""
    module = lower("x = f'{f'{a}'}'\ntype T[U] = list[U]\n", "a.py")
    assert isinstance(module.body[0], nodes.Assign)
    assert isinstance(module.body[0].value, nodes.Format)
    alias = module.body[1]
    assert isinstance(alias, nodes.Assign)
    assert (alias.start, alias.end) == (16, 35)

    (handled,) = lower("try: a\nexcept A, B: b\n", "a.py").body
    assert isinstance(handled, nodes.Try)
    caught = handled.handlers[0].type
    assert isinstance(caught, nodes.Seq)
    assert [item.id for item in caught.items if isinstance(item, nodes.Name)] == ["A", "B"]

    (template,) = lower("t'a{b}'", "a.py").body
    assert isinstance(template, nodes.ExprStmt)
    assert isinstance(template.value, nodes.Format)
    assert [type(part) for part in template.value.parts] == [nodes.Const, nodes.FormatField]

    (lazy,) = lower("lazy from a import b", "a.py").body
    assert isinstance(lazy, nodes.ImportFrom)
    assert lower("await x\nasync with y: pass\n", "a.ipynb").body


def test_syntax_that_is_not_known_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind of node of some later Python: libcst may know the syntax, but reads no body by itself."""
    monkeypatch.delitem(expressions._EXPRESSIONS, ast.Await)
    (waits,) = lower("await x\n", "a.py").body
    assert isinstance(waits, nodes.ExprStmt)
    assert isinstance(waits.value, nodes.Await)

    text = f"async def f():\n    '{'x' * 200}'\n    await x\n"
    problems: list[SourceProblem] = []
    (function,) = lower(text, "a.py", Bodies(text, "a.py", problem=problems.append)).body
    assert isinstance(function, nodes.FunctionDef)
    assert isinstance(function.body[0], nodes.Return)
    assert [problem.message for problem in problems] == ["syntax that is not known here"]


def test_a_body_that_cannot_be_read_by_itself() -> None:
    problems: list[SourceProblem] = []
    body = Bodies("    x = = 1\n", "a.py", problem=problems.append).read(0, 11)
    assert isinstance(body.statements[0], nodes.Return)
    assert [problem.message for problem in problems] == ["syntax that is not known here"]


def sample() -> list[Path]:
    """Some modules of the standard library, of every kind."""
    names = "argparse ast asyncio/tasks bdb cgi dataclasses decimal enum functools inspect locale pathlib pickletools "
    names += "re statistics string subprocess tarfile typing unittest/mock xml/dom/minidom zipfile "
    names += "test/test_patma test/test_unpack_ex"
    paths = [Path(os.__file__).parent / f"{name}.py" for name in names.split()]
    return [path for path in paths if path.exists() and path.stat().st_size < 120_000]


@pytest.mark.parametrize("path", sample(), ids=lambda path: path.stem)
def test_real_files(path: Path) -> None:
    check(read_source(path.read_bytes(), path.name).text)


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("x = (1,\n", "'(' was never closed", "(1,"),
        ("é = 1\nx = = 2\n", "invalid syntax", "= 2"),
        ("print 'a'\n", "Missing parentheses", "print"),
        ("if x:\n\ta\n        b\n", "inconsistent use of tabs", None),
        ("x = 0777\n", "leading zeros", None),
        ("x = '\\N{no such character}'\n", "unicodeescape", "'"),
        ("a = f'\\x1'\n", "unicodeescape", "\\x1"),
        ("x = 'a' b'b'\n", "cannot mix bytes", None),
        ("x = \ud800\n", "surrogate", "\ud800"),
    ],
)
def test_what_is_not_python(text: str, message: str, place: str | None) -> None:
    with pytest.raises(SourceProblem, match=r"^a\.py: ") as raised:
        lower(text, "a.py")
    assert message in raised.value.message
    if place is not None:
        before = text[: text.index(place)].encode("utf-8", "surrogatepass")
        assert raised.value.offset == len(before)


@pytest.mark.parametrize(
    "text",
    [
        "def f(:\n    pass\n",
        "if True\n    x = 1\n",
        "x = a if b\\\n  c\n",
        "def f():\n    (yield\n     1) = 2\n",
        "if a:\nb = 1\n",
    ],
)
def test_a_syntax_error_stands_where_python_says(text: str) -> None:
    with pytest.raises(SyntaxError) as python:
        ast.parse(text)
    with pytest.raises(SourceProblem) as raised:
        lower(text, "a.py")
    row, column = python.value.lineno, python.value.offset
    assert row is not None
    assert column is not None
    assert LineIndex(text).position(raised.value.offset or 0) == (row, column)
    assert raised.value.message.count("invalid syntax") == 1


def test_a_syntax_that_python_is_too_old_for_is_no_error() -> None:
    text = "type Pair = tuple[int, int]\nx = = 2\n"
    with pytest.raises(SourceProblem) as raised:
        lower(text, "a.py")
    assert LineIndex(text).position(raised.value.offset or 0)[0] == 2


@pytest.mark.skipif(sys.version_info < (3, 11), reason="older ones convert integers of any length")
def test_a_number_python_refuses() -> None:
    with pytest.raises(SourceProblem, match="integer"):
        lower(f"x = {'9' * 5000}\n", "a.py")


DEEP: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "x = " + "[" * n + "]" * n,
    "calls": lambda n: "x = " + "f(" * n + ")" * n,
    "chain": lambda n: "x = f" + "()" * n,
    "attributes": lambda n: "x = a" + ".b" * n,
    "sum": lambda n: "x = " + "+".join("a" * n),
    "sum of lines": lambda n: "x = (" + "a +\n" * n + "a)",
    "continued sum": lambda n: "x = " + "a + \\\n" * n + "a",
    "not": lambda n: "x = " + "not " * n + "a",
    "lambda": lambda n: "x = " + "lambda: " * n + "a",
    "conditional": lambda n: "x = " + "a if b else " * n + "c",
    "open": lambda n: "x = " + "(" * n,
}


@pytest.mark.parametrize("make", DEEP.values(), ids=DEEP)
def test_too_deep(make: Callable[[int], str]) -> None:
    with pytest.raises(SourceProblem, match="too deeply"):
        lower(make(20_000) + "\n", "a.py")


@pytest.mark.parametrize("name", ["chain", "attributes", "sum", "sum of lines", "not", "conditional"])
def test_deep_enough_for_anybody(name: str) -> None:
    assert len(lower(DEEP[name](300) + "\n", "a.py").body) == 1


def test_long_is_not_deep() -> None:
    text = "x = {\n" + "    'a': [1, -2.5, f(3), 'b' 'c'],\n" * 700 + "}\ny = '" + "(" * 2000 + "'\n"
    text += "z = 0 " + "or a " * 600 + "\n" + "if a: b\n" + "elif c: d\n" * 400
    assert len(lower(text, "a.py").body) == 4


def test_recursion_limit_is_kept() -> None:
    before = sys.getrecursionlimit()
    lower("x = 1\n", "a.py")
    assert sys.getrecursionlimit() == before


def test_too_large() -> None:
    table = "T = [\n" + "    (1, 'abc', 2.5, -3),\n" * 230_000 + "]\n"
    with pytest.raises(SourceProblem, match="too large"):
        lower(table, "a.py")
