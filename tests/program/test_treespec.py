"""How arguments are nested: torch's tree specs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from aoti_lint.program.errors import Unreadable
from aoti_lint.program.treespec import is_call, leaf_paths, output_paths, parse_treespec, signature

LEAF: dict[str, Any] = {"type": None, "context": None, "children_spec": []}


def node(kind: str, *children: dict[str, Any], context: object = None) -> dict[str, Any]:
    return {"type": kind, "context": json.dumps(context), "children_spec": list(children)}


def call(args: list[dict[str, Any]], kwargs: dict[str, dict[str, Any]]) -> str:
    given = node("builtins.dict", *kwargs.values(), context=list(kwargs))
    return json.dumps([1, node("builtins.tuple", node("builtins.tuple", *args), given)])


def test_paths() -> None:
    nested = node("builtins.dict", LEAF, node("builtins.list", LEAF, LEAF), context=["ids", "more"])
    tree = parse_treespec(call([LEAF, node("builtins.tuple", LEAF)], {"batch": nested}))
    assert is_call(tree)
    assert leaf_paths(tree, ["x", "pair", "batch"]) == [
        "x",
        "pair[0]",
        "batch['ids']",
        "batch['more'][0]",
        "batch['more'][1]",
    ]
    assert leaf_paths(tree)[:2] == ["args[0]", "args[1][0]"]
    assert signature(tree) == "(*, (*,), batch={'ids': *, 'more': [*, *]})"


def test_other_containers() -> None:
    point = {"type": "collections.namedtuple", "context": '"shop.Point"', "children_spec": [LEAF, LEAF]}
    pair = {"type": "shop.Pair", "context": '[["left", "right"], []]', "children_spec": [LEAF, LEAF]}
    table = node("collections.defaultdict", LEAF, context=["builtins.list", ["k"]])
    text = call([point, pair, table], {})
    paths = leaf_paths(parse_treespec(text, {"shop.Point": ("px", "py")}), ["p", "q", "t"])
    assert paths == ["p.px", "p.py", "q.left", "q.right", "t['k']"]
    assert leaf_paths(parse_treespec(text), ["p", "q", "t"])[0] == "p[0]"


def test_results() -> None:
    assert output_paths(parse_treespec(json.dumps([1, LEAF]))) == ["out"]
    assert output_paths(parse_treespec(json.dumps([1, node("builtins.dict", LEAF, context=["y"])]))) == ["out['y']"]


@pytest.mark.parametrize("text", ["", "{}", "[2, null]", "[1, null]", "[1, {}]", '[1, {"type": "x"}]', "[" * 100_000])
def test_broken(text: str) -> None:
    with pytest.raises(Unreadable):
        parse_treespec(text)
