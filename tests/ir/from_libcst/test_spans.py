"""The places of nodes, compared with those libcst itself gives; and that they cannot be silently wrong."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import libcst as cst
import pytest
from libcst.metadata import MetadataWrapper, PositionProvider

from aoti_lint.ir.from_libcst import spans
from aoti_lint.ir.from_libcst.spans import Spans
from aoti_lint.text.lines import LineIndex

WANTED = (
    cst.BaseExpression, cst.BaseSmallStatement, cst.BaseCompoundStatement, cst.Arg, cst.Param, cst.Decorator,
    cst.WithItem, cst.ExceptHandler, cst.SubscriptElement,
)  # fmt: skip


@pytest.mark.parametrize("name", ["functools.py", "dataclasses.py", "typing.py", "test_spans.py"])
def test_same_as_position_provider(name: str) -> None:
    path = Path(__file__) if name == "test_spans.py" else Path(os.__file__).parent / name
    text = path.read_text(encoding="utf-8")
    wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
    expected: dict[Any, Any] = dict(wrapper.resolve(PositionProvider))
    ours = Spans(wrapper.module, text)
    lines = LineIndex(text)
    compared = 0
    for node, place in expected.items():
        if not isinstance(node, WANTED):
            continue
        start, end = ours.of(node)
        assert lines.position(start) == (place.start.line, place.start.column + 1)
        assert lines.position(end) == (place.end.line, place.end.column + 1)
        compared += 1
    assert compared > 300


def test_brackets_around() -> None:
    text = "f( (  # (\n  a, b )  )\n"
    module = cst.parse_module(text)
    call = cst.ensure_type(cst.ensure_type(module.body[0], cst.SimpleStatementLine).body[0], cst.Expr).value
    pair = cst.ensure_type(call, cst.Call).args[0].value
    found = Spans(module, text)
    assert text[slice(*found.of(pair))] == "a, b"
    assert text[slice(*found.within(pair, "(", ")"))] == "(  # (\n  a, b )"


@pytest.mark.parametrize("text", ["x = 2\n", "x = 1 + c\n", "x =1\n", "", "x = 1\n\ny"])
def test_a_tree_of_another_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="does not stand for the text"):
        Spans(cst.parse_module("x = 1\n"), text)


def test_white_space_that_the_tree_lacks() -> None:
    starts, ends = spans._aligned(["é", " ", "=", "", "1"], "\f é \f=\f1 \r")
    assert starts == [2, 4, 6, 7, 8, 9]
    assert ends == [0, 4, 5, 7, 7, 9]
