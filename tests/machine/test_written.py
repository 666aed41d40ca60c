"""What is written down of values is the same when it is read."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from aoti_lint.diagnostics import Confidence, Span
from aoti_lint.ir.lower import lower
from aoti_lint.ir.nodes import ClassDef, FunctionDef, Lambda
from aoti_lint.ir.pieces import Pieces, Row, definition_at, pieces_of
from aoti_lint.language.effects import gradients
from aoti_lint.machine.recorded import written
from aoti_lint.machine.recorded.written import NotWritten
from aoti_lint.machine.state import Budget
from aoti_lint.torch_api.versions import VersionSet
from aoti_lint.values.code import Code
from aoti_lint.values.conditions import Cond
from aoti_lint.values.events.event import Order, Turn
from aoti_lint.values.sizes.symbols import Expr
from aoti_lint.values.values import (
    ABSENT,
    NONE,
    Choice,
    Class,
    Const,
    Func,
    Namespace,
    NodePlace,
    Obj,
    Ref,
    Size,
    Sym,
    Tup,
)

COND = Cond(("eq", "<mode>", Const("a")), "option", "--mode is a")
HERE = Namespace("a.py", 7)


@pytest.mark.parametrize("value", [
    None, True, False, 0, 1, -1, 1 << 80, 0.5, -0.0, float("inf"), 1j, "", "b", "a longer text \udc80 é", b"\x00\xff",
    ..., [], [1, [True, 1, 1.0]], (), ("a", None), {"a": 1, (1, "b"): [2]}, {3, 2.5}, frozenset({(0.5, 1), (2, 3)}),
    Span("a.py", 1, 2), Order(Turn(3, "a.py", 1), 4), Confidence.POSSIBLE, VersionSet(["2.8", "2.9"]), COND,
    Const(True), Const(1), Const(1.0), Const(Order(Turn(0), 1)), NONE, Tup((Const("x"), Ref("torch"))),
    Choice(COND, Const(1), Sym("mode", "the option", Const("b"))), Obj(12, "dict", Ref("dict")),
    Size("n+1", "a size", Expr("+", Expr("dim", "x", 0), Expr("const", 1))),
    Class(1, Code("a.py", 5, (11, 16)), HERE, "Model", (Ref("torch.nn.Module"),)),
    Func(2, Code("a.py", 9, (13, 14)), HERE, (1, 7), "f", {"n": Const(2)}),
])  # fmt: skip
def test_it_is_the_same(value: Any) -> None:
    """Of the same type all the way down, and written as the same text again.

    The sets are shown alike in whatever order they were filled, which those of texts are not.
    """
    text = written.dumps(value, ANY)
    read = written.loads(text, ANY)
    assert type(read) is type(value)
    assert read == value
    assert repr(read) == repr(value)
    assert written.dumps(read, ANY) == text


def test_nothing_is_the_one() -> None:
    """No value is told by which object it is."""
    assert written.loads(written.dumps([ABSENT], ANY), ANY)[0] is ABSENT


def test_what_can_change_stays_one() -> None:
    """What stands in two places is one, two that are alike are two."""
    one, other = Budget(7), Budget(7)
    first, second, third = written.loads(written.dumps((one, one, other), ANY), ANY)
    assert first is second
    assert first is not third


def test_sets_are_written_alike() -> None:
    """In whatever order they give what they hold."""
    one, two = {"name 1", "name 9"}, {"name 9"}
    two.add("name 1")
    assert written.dumps(one, ANY) == written.dumps(two, ANY)


@pytest.mark.parametrize("value", [lambda: 1, partial(int, "1"), object(), iter(()), [{"a": print}]])
def test_code_is_not_written(value: object) -> None:
    """Nor is anything that nobody knows how to make again."""
    with pytest.raises(NotWritten):
        written.dumps(value, ANY)


def test_functions_with_a_name() -> None:
    """Those that say so stand in what is written."""
    assert written.loads(written.dumps(gradients.off, ANY), ANY) is gradients.off


@pytest.mark.parametrize("text", [
    "", "1", "[]", '[["no_such:Thing"],[[0]],-3]',
    '[["values.values:Const"],[[0,1,2,3]],-3]', '[["named"],[[0,"x"]],-3]',
    '[["tuple"],[[5]],-3]', '[["os:system"],[[0,"true"]],-3]', '[["tuple"],[[0,-9]],-3]', "[[],[],-9]",
])  # fmt: skip
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not what was|Expecting|unpack"):
        written.loads(text, ANY)


def test_code_is_found_where_it_began() -> None:
    """Functions, classes and lambdas, also those in the bodies of others."""
    tree = lower(SOURCE, "a.py")
    for kind, marker in ((ClassDef, "class Model"), (FunctionDef, "def forward"), (FunctionDef, "@decorated"),
                         (FunctionDef, "def inner"), (Lambda, "lambda y")):  # fmt: skip
        found = definition_at(tree, SOURCE.encode().index(marker.encode()))
        assert isinstance(found, kind), marker
    assert definition_at(tree, SOURCE.encode().index(b"return")) is None


class InText:
    """Files that all have this text."""

    def __init__(self, text: str = "") -> None:
        self._text = text

    def content(self, path: str) -> str:
        return str(hash(self._text))

    def pieces(self, path: str) -> Pieces:
        rows: list[Row] = pieces_of(lower(self._text, path), self._text.encode())
        return Pieces(self.content(path), rows)

    def definition(self, path: str, start: int) -> Any:
        return pytest.fail(f"{path}:{start}")


ANY = InText()


@pytest.mark.parametrize("marker", ["class Model", "def forward", "@decorated", "lambda y", "import torch", "x):"])
def test_places_move_with_their_code(marker: str) -> None:
    """What stood at a place is read as standing where that is now."""
    at = SOURCE.index(marker)
    start = len(SOURCE[:at].encode())
    code = Code[FunctionDef | Lambda]("a.py", start, (start + 4, start + 5))
    value = (Span("a.py", start, start + 4), NodePlace("a.py", start), Func(2, code, HERE, (), "f"))
    changed = SOURCE.replace("import torch\n", "# above\nimport torch\n\nNEW = 1\n")
    changed = changed.replace("\n\nclass", "\nX = 2\n\nclass")
    new = len(changed[: changed.index(marker)].encode())
    text, paths = written.dumps(value, InText(SOURCE)), set[str]()
    span, place, func = written.loads(text, InText(changed), paths)
    assert (span, place) == (Span("a.py", new, new + 4), NodePlace("a.py", new))
    assert (func.code.start, func.code.head) == (new, (new + 4, new + 5))
    assert paths == {"a.py"}
    assert written.dumps((span, place, func), InText(changed)) == text


def test_a_place_that_is_gone() -> None:
    """Code that changed, and places in no code, are not found elsewhere."""
    start = SOURCE.index("import")
    for gone in (Span("a.py", start, start + 6), Span("a.py", 0, len(SOURCE.encode()))):
        text = written.dumps(gone, InText(SOURCE))
        assert written.loads(text, InText(SOURCE)) == gone
        with pytest.raises(ValueError, match="has no"):
            written.loads(text, InText(SOURCE.replace("import torch", "import torch as t")))


SOURCE = '''\
import torch

class Model(torch.nn.Module):
    """Ä model."""

    def forward(self, x):
        if x is None:
            raise ValueError("there has to be something to work on, and here is enough text for a body of its own")
        for one in self.layers:
            @decorated(1)
            def outer():
                def inner():
                    return map(lambda y: y + 1, x)
                return inner
        return x
'''
