"""A fake in the text it stands in: where its parts are, which of its names are sizes, and what it allocates."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

FACTORIES = ("empty", "zeros", "ones", "full", "rand", "randn", "empty_strided")
"""Functions of torch that make a tensor of a size, with the default dtype and device if nobody names others."""
LIKE = ("empty_like", "zeros_like", "ones_like", "full_like", "rand_like", "randn_like")
NEW = ("new_empty", "new_zeros", "new_ones", "new_full", "new_empty_strided")
READS = ("shape", "size", "device", "dtype", "numel", "dim", "ndim", "stride", *NEW)
"""What is asked of a tensor only."""


Edits = tuple[tuple[int, int, bytes], ...]
"""Parts of a text, by the bytes where they begin and end, and what stands there instead."""


def apply(data: bytes, edits: Iterable[tuple[int, int, bytes]]) -> bytes:
    """The text with the edits made; they must not overlap."""
    for start, end, new in sorted(edits, reverse=True):
        data = data[:start] + new + data[end:]
    return data


def last_name(node: ast.AST | None) -> str:
    """The last part of a dotted name; empty for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


@dataclass(frozen=True)
class Text:
    """A source with the offsets of its lines. Offsets count bytes, as `ast` and our spans do."""

    data: bytes

    @cached_property
    def lines(self) -> list[int]:
        starts = [0]
        for line in self.data.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.data)

    @cached_property
    def functions(self) -> list[ast.FunctionDef]:
        """All functions of the file, in order of their places."""
        found = [node for node in ast.walk(self.tree) if isinstance(node, ast.FunctionDef)]
        return sorted(found, key=lambda f: (f.lineno, f.col_offset))

    def start(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword) -> int:
        return self.lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt | ast.arg | ast.keyword) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.lines[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.expr | ast.stmt) -> bytes:
        """The text of a node."""
        return self.data[self.start(node) : self.end(node)]

    def region(self, function: ast.FunctionDef) -> tuple[int, int]:
        """The offsets of a function with its decorators."""
        first = min([self.start(d) for d in function.decorator_list], default=self.start(function))
        return first, self.end(function)

    def row(self, offset: int) -> int:
        return self.data.count(b"\n", 0, offset) + 1

    def over(self, node: ast.expr | ast.stmt, new: bytes) -> Edits:
        """Another text in the place of a node."""
        return ((self.start(node), self.end(node), new),)

    def before(self, statement: ast.stmt, *lines: str | bytes) -> Edits | None:
        """Lines before a statement; None where it shares its line with what comes before it."""
        start = self.start(statement)
        line = self.data.rfind(b"\n", 0, start) + 1
        indent = self.data[line:start]
        if indent.strip():
            return None
        new = b"".join((one.encode() if isinstance(one, str) else one) + b"\n" + indent for one in lines)
        return ((start, start, new),)

    def with_keyword(self, call: ast.Call, new: bytes) -> Edits:
        """The call with one more keyword, at its end."""
        closing = self.end(call) - 1
        comma = b"" if self.data[:closing].rstrip().endswith((b",", b"(")) else b", "
        return ((closing, closing, comma + new),)

    def without(self, call: ast.Call, given: ast.keyword) -> Edits:
        """The call without one keyword and the comma before it, or after it if it is the first."""
        start, end, data = self.start(given), self.end(given), self.data
        before = re.search(rb",\s*(#[^\n]*\n\s*)*$", data[self.start(call) : start])
        if before is not None:
            return ((self.start(call) + before.start(), end, b""),)
        after = re.match(rb"\s*,\s*", data[end:])
        return ((start, end + (after.end() if after is not None else 0), b""),)


@dataclass
class Fake:
    """A fake, and what the sources say of its op."""

    text: Text
    node: ast.FunctionDef
    schema: bool
    """Whether the sources say what the op gives back and takes, by a schema or the function of the op."""
    kernel: bool
    """Whether they have a kernel in Python that makes its outputs itself."""
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for node in ast.walk(self.node):
            for child in ast.iter_child_nodes(node):
                self.parents[child] = node

    def nodes(self) -> Iterator[ast.AST]:
        """The nodes of the body in order of their places, without those of functions inside it."""
        todo: list[ast.AST] = list(reversed(self.body))
        while todo:
            node = todo.pop()
            yield node
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
                todo += reversed(list(ast.iter_child_nodes(node)))

    @cached_property
    def body(self) -> list[ast.stmt]:
        """Its statements without the docstring."""
        body = self.node.body
        return body[1:] if ast.get_docstring(self.node) is not None else body

    @cached_property
    def parameters(self) -> list[ast.arg]:
        arguments = self.node.args
        return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]

    @cached_property
    def tensors(self) -> list[str]:
        """The parameters that are tensors: by annotation, or without one by what is asked of them."""
        asked = {
            node.value.id
            for node in self.nodes()
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in READS
        }
        return [
            a.arg
            for a in self.parameters
            if last_name(a.annotation) == "Tensor" or (a.annotation is None and a.arg in asked)
        ]

    @cached_property
    def returns(self) -> list[ast.Return]:
        """The statements that give something back."""
        found = [node for node in self.nodes() if isinstance(node, ast.Return)]
        return [node for node in found if node.value is not None and not is_none(node.value)]

    @cached_property
    def allocations(self) -> list[ast.Call]:
        """The calls that make a tensor."""
        found = [node for node in self.nodes() if isinstance(node, ast.Call)]
        return [node for node in found if is_allocation(node)]

    @cached_property
    def reads(self) -> list[ast.expr]:
        """The places where one size of a tensor is read: `x.shape[0]`, `x.size(0)`."""
        return [node for node in self.nodes() if isinstance(node, ast.expr) and size_read(node) is not None]

    @cached_property
    def sizes(self) -> list[ast.expr]:
        """The places where a size stands: the reads, and names that hold one."""
        held = set(self._held())

        def stands_for_one(node: ast.expr) -> bool:
            return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in held

        expressions = [node for node in self.nodes() if isinstance(node, ast.expr)]
        return [node for node in expressions if node in self.reads or stands_for_one(node)]

    def _held(self) -> Iterator[str]:
        """The names that are only ever bound to one size of a tensor."""
        bound: dict[str, list[bool]] = {}
        for node in self.nodes():
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                target, value = node.targets[0], node.value
                if isinstance(target, ast.Tuple):
                    whole = is_shape(value)
                    values = (
                        value.elts if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
                    )
                    for i, one in enumerate(target.elts):
                        if isinstance(one, ast.Name):
                            a_size = whole or (values is not None and size_read(values[i]) is not None)
                            bound.setdefault(one.id, []).append(a_size)
                elif isinstance(target, ast.Name):
                    bound.setdefault(target.id, []).append(size_read(value) is not None)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                parent = self.parents.get(node)
                if not isinstance(parent, ast.Assign | ast.Tuple):
                    bound.setdefault(node.id, []).append(False)
        yield from (name for name, kinds in bound.items() if kinds and all(kinds))

    def feeds_output(self, node: ast.expr) -> bool:
        """Whether it stands in the size that an allocation is given."""
        child: ast.AST = node
        parent = self.parents.get(node)
        while parent is not None and not isinstance(parent, ast.stmt):
            if isinstance(parent, ast.Call):
                if is_allocation(parent):
                    return any(child is one for one in size_arguments(parent))
                if last_name(parent.func) not in ("cdiv", "ceil_div", "round_up", "max", "min", "div_up"):
                    return False
            if isinstance(parent, ast.Compare | ast.IfExp | ast.Subscript | ast.Attribute):
                return False
            child, parent = parent, self.parents.get(parent)
        return False

    def is_told(self, node: ast.AST) -> bool:
        """Whether it only stands in what is said when something is wrong, or in a test."""
        child: ast.AST = node
        parent = self.parents.get(node)
        while parent is not None:
            if isinstance(parent, ast.Assert | ast.Raise | ast.JoinedStr | ast.Compare):
                return True
            if isinstance(parent, ast.If | ast.While | ast.IfExp) and child is parent.test:
                return True
            if isinstance(parent, ast.Call) and last_name(parent.func) in ("_check", "_check_is_size", "print"):
                return True
            child, parent = parent, self.parents.get(parent)
        return False


def keyword(call: ast.Call, name: str) -> ast.keyword | None:
    """What a call is given by this name."""
    return next((k for k in call.keywords if k.arg == name), None)


def is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def is_allocation(call: ast.Call) -> bool:
    """A factory of torch, `x.new_empty` and its kin, or `empty_like`."""
    name = last_name(call.func)
    if name in NEW:
        return True
    of_torch = isinstance(call.func, ast.Attribute) and last_name(call.func.value) == "torch"
    return of_torch and name in (*FACTORIES, *LIKE)


def size_arguments(call: ast.Call) -> list[ast.expr]:
    """The arguments of an allocation that say its size."""
    name = last_name(call.func)
    named = [k.value for k in call.keywords if k.arg == "size"]
    if name in LIKE or named:
        return named
    first_only = name in ("full", "new_full", "empty_strided", "new_empty_strided")
    return call.args[:1] if first_only else list(call.args)


def size_read(node: ast.expr) -> tuple[ast.expr, int] | None:
    """The tensor and the index of `x.shape[0]` or `x.size(0)`; None for anything else."""
    base: ast.expr | None = None
    index: ast.expr | None = None
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
        base, index = node.value.value, node.slice
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "size":
        base, index = node.func.value, node.args[0] if len(node.args) == 1 else None
    if base is None or index is None:
        return None
    sign = 1
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub):
        sign, index = -1, index.operand
    if isinstance(index, ast.Constant) and isinstance(index.value, int):
        return base, sign * index.value
    return None


def is_shape(node: ast.expr) -> bool:
    """`x.shape` or `x.size()`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "size" and not node.args
    return isinstance(node, ast.Attribute) and node.attr == "shape"
