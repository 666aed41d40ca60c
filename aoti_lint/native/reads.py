"""What a C++ kernel reads of its tensors that a fake tensor cannot give without fixing its symbolic sizes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.lazily.regex import regex
from aoti_lint.native.functions import Function, is_tensor
from aoti_lint.native.syntax import last, name_of, raw

if TYPE_CHECKING:
    from tree_sitter import Node

SIZES = frozenset({"size", "sizes"})
"""Fixes all sizes of the tensor, whichever is asked for."""
STRIDES = frozenset({"stride", "strides"})
"""Fixes the sizes that a stride is made of: all but the first, for a contiguous tensor."""
COUNTS = frozenset({"numel", "nbytes"})
"""Raises for a tensor of open sizes."""
_ITEM = "item"
DATA = frozenset({_ITEM, "data_ptr", "mutable_data_ptr"})
"""Raises for a fake tensor. `const_data_ptr` does not: it gives a null pointer."""
_SAME_SIZES = frozenset({
    "contiguous", "to", "toType", "clone", "detach", "t", "transpose", "permute", "view", "reshape", "flatten",
    "squeeze", "unsqueeze", "narrow", "slice", "select", "cpu", "cuda", "view_as", "reshape_as", "expand", "expand_as",
    "alias",
})  # fmt: skip
"""Methods that give a tensor whose sizes come from those of the tensor they are called on."""
_ON_META = regex(
    rb"(?:constexpr)?\(?(?P<not>!)?(?:\w+(?:\(\))?(?:\.|::))*(?:(?i:k?_?is_?meta_?|meta)|(?P<device>is_cuda|is_cpu|is_xpu|is_hip))"
    rb"(?:\(\))?\)?"
)
_REFERENCES = frozenset({"reference_declarator", "pointer_declarator"})


@dataclass(frozen=True, slots=True)
class Read:
    """`tensor.method(…)` at `span`. `parameter` is the parameter of the kernel that the tensor is, or was made of."""

    parameter: str
    tensor: str
    method: str
    span: Span


def reads(function: Function) -> Iterator[Read]:
    """The reads of the tensors that a kernel is given, in the order of the text.

    Only of what is a tensor for sure: not of lists, optional tensors, or what other functions return.
    """
    reader = _Reader(function)
    try:
        reader.visit(function.body())
    except RecursionError:
        # Generated code; what was read so far is read.
        pass
    yield from reader.found


class _Reader:
    """Goes through the code that runs for a tensor without data."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._known = {one.name: one.name for one in function.parameters if one.name and is_tensor(one.type)}
        self._derived: dict[str, str] = {}
        """The tensors of other sizes that are made of those."""
        self.found: list[Read] = []

    def visit(self, node: Node) -> bool:
        """Read what `node` reads; whether what follows it in its block is never reached."""
        match node.type:
            case "compound_statement":
                return any(self.visit(child) for child in node.named_children)
            case "if_statement":
                return self._branch(node)
            case "init_declarator":
                self._visit_all(node)
                self._declare(node)
                return False
            case "call_expression":
                self._visit_all(node)
                self._note(node)
                return False
            case "else_clause":
                return any(self.visit(child) for child in node.named_children)
            case _:
                self._visit_all(node)
                return node.type == "return_statement"

    def _branch(self, node: Node) -> bool:
        condition, then = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        otherwise = node.child_by_field_name("alternative")
        holds = without_data(raw(condition))
        if condition is not None:
            self.visit(condition)
        ends = False
        if then is not None and holds is not False:
            ends = self.visit(then)
        if otherwise is not None and holds is not True:
            ends = self.visit(otherwise) or ends
        return holds is not None and ends

    def _visit_all(self, node: Node) -> None:
        for child in node.named_children:
            self.visit(child)

    def _note(self, call: Node) -> None:
        found = _method(call)
        if found is None:
            return
        tensor, method = found
        name = raw(tensor).decode("utf-8", "replace")
        of: str | None = None
        if method == _ITEM:
            of = self._made_of(tensor)
        elif method in SIZES | STRIDES | COUNTS | DATA and tensor.type == "identifier":
            of = self._known.get(name)
        if of is not None:
            self.found.append(Read(of, name, method, self._function.at(call)))

    def _declare(self, node: Node) -> None:
        """Note what is made of a tensor that is known, and forget a name that is given to something else."""
        declarator, value = node.child_by_field_name("declarator"), node.child_by_field_name("value")
        if declarator is not None and declarator.type in _REFERENCES and declarator.named_children:
            declarator = declarator.named_children[-1]
        if declarator is None or declarator.type != "identifier" or value is None:
            return
        name = raw(declarator).decode("utf-8", "replace")
        source = _source(value, self._known)
        maker = self._made_of(value) if source is None else None
        for known, of in (self._known, source), (self._derived, maker):
            known.pop(name, None)
            if of is not None:
                known[name] = of

    def _made_of(self, value: Node) -> str | None:
        """The parameter that a tensor is, or is made of: by its methods and operators, and functions of torch."""
        todo = [value]
        for _ in range(16):
            if not todo:
                return None
            one = todo.pop()
            function = one.child_by_field_name("function")
            if one.type == "identifier":
                name = raw(one).decode("utf-8", "replace")
                of = self._known.get(name) or self._derived.get(name)
                if of is not None:
                    return of
            elif one.type == "call_expression" and function is not None:
                if function.type == "field_expression":
                    todo += filter(None, [function.child_by_field_name("argument")])
                elif name_of(function).startswith((b"at::", b"torch::")):
                    given = one.child_by_field_name("arguments")
                    todo += given.named_children if given is not None else ()
            elif one.type in ("subscript_expression", "parenthesized_expression", "binary_expression"):
                todo += one.named_children[:2]
        return None


def without_data(condition: bytes) -> bool | None:
    """Whether a condition holds for a meta tensor: `kIsMeta`, `!x.is_meta()`, `x.is_cuda()`; None for any other."""
    found = _ON_META.fullmatch(b"".join(condition.split()))
    if found is None:
        return None
    return (found["device"] is None) != (found["not"] is not None)


def _source(value: Node, known: dict[str, str]) -> str | None:
    """The parameter that a value is, or takes its sizes from."""
    for _ in range(8):
        if value.type == "identifier":
            return known.get(raw(value).decode("utf-8", "replace"))
        if value.type != "call_expression":
            return None
        function = value.child_by_field_name("function")
        if function is None or function.type != "field_expression":
            return None
        argument = function.child_by_field_name("argument")
        if last(name_of(function.child_by_field_name("field"))).decode() not in _SAME_SIZES or argument is None:
            return None
        value = argument
    return None


def _method(call: Node) -> tuple[Node, str] | None:
    """What stands before the dot and the method, of a call `x.method(…)`."""
    function = call.child_by_field_name("function")
    if function is None or function.type != "field_expression":
        return None
    argument = function.child_by_field_name("argument")
    if argument is None or raw(function.child_by_field_name("operator")) == b"->":
        return None
    return argument, name_of(function.child_by_field_name("field")).decode("utf-8", "replace")
