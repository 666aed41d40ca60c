"""A file as somebody reads it who plants a mistake: what its names are, and what is told of a place by its text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tests.mutation.source import Text, last_name

EXPORT = "torch.export.export"
DIM = "torch.export.Dim"
FACTORIES = frozenset({"torch.randn", "torch.rand", "torch.zeros", "torch.ones"})
"""Functions that make a tensor of the sizes they are given."""
Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = Function | ast.Module
_CHANGING = frozenset({"append", "extend", "insert", "update", "pop", "setdefault", "clear", "remove"})
_EXPECTED = re.compile(r"raises|expectedfailure|skip|xfail", re.I)
_CONDITION = re.compile(r"version|hasattr|TYPE_CHECKING", re.I)


class Source:
    """One file. Only what its own text says is known of it; where that could mean two things, nothing."""

    def __init__(self, data: bytes) -> None:
        self.text = Text(data)
        self.parents: dict[ast.AST, ast.AST] = {}
        self.nodes: list[ast.AST] = []
        todo: list[ast.AST] = [self.text.tree]
        while todo:
            node = todo.pop()
            self.nodes.append(node)
            children = list(ast.iter_child_nodes(node))
            self.parents.update(dict.fromkeys(children, node))
            todo += reversed(children)

    def of(self, node: ast.expr | ast.stmt) -> str:
        """The text of a node."""
        return self.text.of(node).decode()

    @cached_property
    def _imported(self) -> dict[str, str]:
        found: dict[str, set[str]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Import):
                for one in node.names:
                    name = one.asname or one.name.split(".")[0]
                    found.setdefault(name, set()).add(one.name if one.asname else name)
            elif isinstance(node, ast.ImportFrom):
                for one in node.names:
                    origin = f"{'.' * node.level}{node.module or ''}.{one.name}"
                    found.setdefault(one.asname or one.name, set()).add(origin)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.setdefault(node.id, set()).add("")
            elif isinstance(node, ast.arg):
                found.setdefault(node.arg, set()).add("")
            elif isinstance(node, Function | ast.ClassDef) and not isinstance(self.parents[node], ast.ClassDef):
                found.setdefault(node.name, set()).add("")
        return {name: min(origins) for name, origins in found.items() if len(origins) == 1 and min(origins)}

    @property
    def has_torch(self) -> bool:
        """Whether `torch` is torch everywhere in the file."""
        return self._imported.get("torch") == "torch"

    def full(self, node: ast.AST) -> str:
        """The full name of what is imported: `torch.export.export`; empty where it means something else, too."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        origin = self._imported.get(node.id, "") if isinstance(node, ast.Name) else ""
        return ".".join([origin, *reversed(parts)]) if origin else ""

    def calls(self, *names: str) -> Iterator[ast.Call]:
        """The calls of these functions where nobody expects them to fail."""
        for name in names:
            yield from self._called.get(name, ())

    @cached_property
    def _called(self) -> dict[str, list[ast.Call]]:
        found: dict[str, list[ast.Call]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Call) and (name := self.full(node.func)) and self.counts(node):
                found.setdefault(name, []).append(node)
        return found

    def counts(self, node: ast.AST) -> bool:
        """Whether a failure here is one: not where it is caught, expected, never reached, or decided by a version."""
        child, parent = node, self.parents.get(node)
        while parent is not None:
            block = getattr(parent, "body", None)
            before = block[: block.index(child)] if isinstance(block, list) and child in block else []
            if any(isinstance(one, ast.Raise | ast.Return) for one in before):
                return False
            if isinstance(parent, ast.Try) and parent.handlers and child in parent.body:
                return False
            if isinstance(parent, ast.With) and any(
                _EXPECTED.search(self.of(one.context_expr)) for one in parent.items
            ):
                return False
            if isinstance(parent, Function | ast.ClassDef) and any(
                _EXPECTED.search(self.of(one)) for one in parent.decorator_list
            ):
                return False
            if isinstance(parent, ast.If) and _CONDITION.search(self.of(parent.test)):
                return False
            child, parent = parent, self.parents.get(parent)
        return True

    def statement(self, node: ast.AST) -> ast.stmt:
        """The innermost statement around a node."""
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def scope(self, node: ast.AST) -> Scope:
        """The function around a node, or the module."""
        node = self.parents[node]
        while not isinstance(node, Scope):
            node = self.parents[node]
        return node

    def bound(self, name: ast.Name) -> ast.Assign | None:
        """The one assignment that makes the name what it is; None where there are others, or it is changed."""
        scope = self.scope(name)
        found: list[ast.Assign] = []
        for node in self._uses.get((scope, name.id), ()):
            if isinstance(node, ast.arg):
                return None
            parent = self.parents[node]
            if isinstance(node.ctx, ast.Store):
                if not (isinstance(parent, ast.Assign) and parent.targets == [node]):
                    return None
                found.append(parent)
            elif (isinstance(parent, ast.Subscript) and not isinstance(parent.ctx, ast.Load)) or (
                isinstance(parent, ast.Attribute) and parent.attr in _CHANGING
            ):
                return None
        straight = len(found) == 1 and self._block(found[0]) in (scope, self._block(self.statement(name)))
        return found[0] if straight and (found[0].end_lineno or 0) < name.lineno else None

    def _block(self, statement: ast.stmt) -> ast.AST:
        """What a statement stands in; a `with` runs all that it holds."""
        node = self.parents[statement]
        while isinstance(node, ast.With):
            node = self.parents[node]
        return node

    @cached_property
    def _uses(self) -> dict[tuple[Scope, str], list[ast.Name | ast.arg]]:
        """Where a scope, or one inside it, has a name."""
        found: dict[tuple[Scope, str], list[ast.Name | ast.arg]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Name | ast.arg):
                name, around = node.arg if isinstance(node, ast.arg) else node.id, self.scope(node)
                found.setdefault((around, name), []).append(node)
                while not isinstance(around, ast.Module):
                    around = self.scope(around)
                    found.setdefault((around, name), []).append(node)
        return found

    def value(self, node: ast.expr | None) -> ast.expr | None:
        """What a name is bound to in its function; anything else as it is."""
        if isinstance(node, ast.Name):
            bound = self.bound(node)
            return None if bound is None else bound.value
        return node

    def argument(self, call: ast.Call, position: int, name: str) -> ast.expr | None:
        """What a call is given, by position or name."""
        if any(isinstance(one, ast.Starred) for one in call.args):
            return None
        if position < len(call.args):
            return call.args[position]
        return next((one.value for one in call.keywords if one.arg == name), None)

    @cached_property
    def exports(self) -> list[Export]:
        """The exports of the file whose keywords are all written out."""
        return [Export(self, call) for call in self.calls(EXPORT) if all(one.arg for one in call.keywords)]

    def model_class(self, node: ast.expr | None) -> ast.ClassDef | None:
        """The class of this file whose instance an expression is: `Net()`, `Net().eval()`, or a name for these."""
        node = self.value(node)
        while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = self.value(node.func.value)
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            return None
        name = node.func.id
        classes = [one for one in self.nodes if isinstance(one, ast.ClassDef) and one.name == name]
        bound = [one for one in self.nodes if isinstance(one, ast.Name | ast.arg) and _binds(one, name)]
        # Of two classes of one name, each in a function of its own, the text does not say which.
        return classes[0] if len(classes) == 1 and not bound else None


@dataclass(frozen=True)
class Size:
    """A size of an example input, and where it is written."""

    node: ast.expr
    number: int


class Export:
    """A call of `torch.export.export`."""

    def __init__(self, source: Source, call: ast.Call) -> None:
        self.source, self.call = source, call
        self.model = source.argument(call, 0, "mod")
        self.args = source.argument(call, 1, "args")
        self.given = next((one for one in call.keywords if one.arg == "dynamic_shapes"), None)
        self.shapes = source.value(self.given.value) if self.given is not None else None

    def entries(self) -> Iterator[tuple[int | None, ast.Dict]]:
        """What `dynamic_shapes` says of each input that it says something of, with the input's position if known."""
        if isinstance(self.shapes, ast.Dict):
            of_inputs = enumerate(self.shapes.values)
            sure = len(self.shapes.values) == 1
        elif isinstance(self.shapes, ast.Tuple | ast.List):
            of_inputs = enumerate(self.shapes.elts)
            sure = True
        else:
            return
        for position, node in of_inputs:
            entry = self.source.value(node)
            if isinstance(entry, ast.Dict):
                yield position if sure else None, entry

    def dims(self) -> Iterator[tuple[ast.expr, ast.Call, Size | None]]:
        """The dimensions that have a `Dim`: their number as it stands there, the call that makes the `Dim`, the size of
        the example where it is written.
        """
        for position, entry in self.entries():
            for key, value in zip(entry.keys, entry.values, strict=True):
                made, dimension = self.source.value(value), number_of(key)
                is_dim = isinstance(made, ast.Call) and self.source.full(made.func) == DIM
                if key is not None and dimension is not None and is_dim:
                    assert isinstance(made, ast.Call)
                    yield key, made, None if position is None else self.size(position, dimension)

    def size(self, position: int, dimension: int) -> Size | None:
        """The size that an example input has, where it is written in the call that makes the input."""
        args = self.source.value(self.args)
        if not isinstance(args, ast.Tuple) or position >= len(args.elts):
            return None
        made = self.source.value(args.elts[position])
        if not (isinstance(made, ast.Call) and self.source.full(made.func) in FACTORIES and made.args):
            return None
        sizes = made.args[0].elts if isinstance(made.args[0], ast.Tuple | ast.List) else made.args
        if not 0 <= dimension < len(sizes) or any(isinstance(one, ast.Starred) for one in sizes):
            return None
        number = number_of(sizes[dimension])
        return None if number is None else Size(sizes[dimension], number)


def _binds(node: ast.Name | ast.arg, name: str) -> bool:
    return node.arg == name if isinstance(node, ast.arg) else node.id == name and isinstance(node.ctx, ast.Store)


def text_of(node: ast.AST | None) -> str | None:
    """The text of a literal; None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def number_of(node: ast.AST | None) -> int | None:
    """The number of a literal; None for anything else."""
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None


def is_tensor(annotation: ast.expr | None) -> bool:
    """Whether a parameter is said to be a tensor, and nothing else."""
    return last_name(annotation) == "Tensor"
