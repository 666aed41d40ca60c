"""Which plain integers a C++ kernel makes sizes of its outputs of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.diagnostics import Span
from aoti_lint.native.functions import Function
from aoti_lint.native.syntax import last, name_of, raw, walk

if TYPE_CHECKING:
    from tree_sitter import Node

INTEGERS = frozenset({b"int64_t", b"const int64_t", b"const int64_t&", b"int", b"long"})
FACTORIES = frozenset({
    b"empty", b"zeros", b"ones", b"full", b"empty_strided", b"new_empty", b"new_zeros", b"new_ones", b"new_full",
    b"new_empty_strided",
})  # fmt: skip
"""Functions and methods that take the sizes of the tensor that they make as their first argument."""


def output_integers(function: Function) -> Iterator[tuple[int, Span]]:
    """The integer parameters, by their places, in `at::empty({…}, …)` and its kin, with the call.

    A tensor that is made need not be an output: it is taken to be one where it is the only one that is made.
    """
    places = {one.name: index for index, one in enumerate(function.parameters) if one.name and one.type in INTEGERS}
    made = [node for node in walk(function.body()) if node.type == "call_expression" and _is_factory(node)]
    if not places or len(made) != 1:
        return
    listed = made[0].child_by_field_name("arguments")
    sizes = next((one for one in listed.named_children if one.type != "comment"), None) if listed is not None else None
    if sizes is None or sizes.type != "initializer_list":
        return
    found = {raw(node).decode("utf-8", "replace") for node in walk(sizes) if node.type == "identifier"}
    yield from ((index, function.at(made[0])) for name, index in places.items() if name in found)


def _is_factory(call: Node) -> bool:
    function = call.child_by_field_name("function")
    if function is not None and function.type == "field_expression":
        function = function.child_by_field_name("field")
    return last(name_of(function)) in FACTORIES
