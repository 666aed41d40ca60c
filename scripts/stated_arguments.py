"""The arguments of torch's functions that the models in `aoti_lint/models` read: positions, names and defaults.

A model says `call.arg(1, "dim")`, in itself or in a helper that it hands the call to. Both are read from their source;
what a model reads in other ways, such as over all arguments, is not found.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from aoti_lint import models
from aoti_lint.machine import tables
from aoti_lint.values.values import NONE, Const

_CALL = object()
"""Stands for the call that a model is given."""
_Known = dict[str, Any]
"""What names in a function are: `_CALL`, or a frozenset of the constants that they may be."""


@dataclass(frozen=True)
class Stated:
    """One reading: a position and a name (either may be None), the default if it is a constant, and where it stands."""

    index: int | None
    name: str | None
    default: object
    where: str


NO_DEFAULT = object()


def functions() -> Iterator[tuple[str, set[Stated]]]:
    """The functions and classes of torch with a model, and what it reads."""
    models.load()
    for name, model in sorted(tables.FUNCTIONS.items()):
        if name.startswith("torch.") and "()" not in name and (found := stated(model)):
            yield name, found


def methods(tag: str) -> Iterator[tuple[str, set[Stated]]]:
    """The methods with a model, of values with this tag, and what it reads; positions are without `self`."""
    models.load()
    for (of, name), model in sorted(tables.METHODS.items()):
        if of == tag and (found := stated(model)):
            yield name, found


def stated(model: Callable[..., Any]) -> set[Stated]:
    """What a model reads."""
    shift = 0
    while (within := model.__qualname__.partition(".<locals>")[0]) in ("_on_input", "op"):
        # A function made of a method takes the tensor as its first argument.
        shift += within == "_on_input"
        model = inspect.getclosurevars(model).nonlocals["run" if within == "_on_input" else "model"]
    if not isinstance(model, FunctionType):
        return set()
    reader = _Reader()
    reader.read(model, dict(zip(list(inspect.signature(model).parameters)[1:2], [_CALL], strict=False)))
    return {replace(one, index=None if one.index is None else one.index + shift) for one in reader.found}


@cache
def _node(function: FunctionType) -> ast.FunctionDef | ast.Lambda | None:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return next((node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))), None)


class _Reader:
    def __init__(self) -> None:
        self.found: set[Stated] = set()
        self._seen: set[tuple[FunctionType, frozenset[tuple[str, Any]]]] = set()

    def read(self, function: FunctionType, known: _Known) -> None:
        """Read a function whose parameters are `known`, and those it hands the call to."""
        key, node = (function, frozenset(known.items())), _node(function)
        if key in self._seen or node is None:
            return
        self._seen.add(key)
        outside = inspect.getclosurevars(function).nonlocals
        scope = {**function.__globals__, **outside}
        known = {k: frozenset({v}) for k, v in outside.items() if v is None or isinstance(v, (int, str))} | known
        self._bind(node, known)
        where = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__.replace('.<locals>', '')}"
        defaults = self._defaults(node, scope)
        for inner in ast.walk(node):
            for index, name in self._read_here(inner, known):
                self.found.add(Stated(index, name, defaults.get(inner, NO_DEFAULT), where))
            if isinstance(inner, ast.Call):
                self._follow(inner, known, scope)

    def _bind(self, node: ast.FunctionDef | ast.Lambda, known: _Known) -> None:
        """Add what parameters are by default, and local names of constants."""
        arguments = node.args
        plain = [*arguments.posonlyargs, *arguments.args]
        pairs = [*zip(reversed(plain), reversed(arguments.defaults), strict=False),
                 *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]  # fmt: skip
        for parameter, default in pairs:
            if isinstance(default, ast.Constant):
                known.setdefault(parameter.arg, frozenset({default.value}))
        for inner in ast.walk(node):
            match inner:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if constants := self._values(value, known):
                    before = known.get(name)
                    known[name] = frozenset(constants) | (before if isinstance(before, frozenset) else frozenset())
                case ast.For() | ast.comprehension() if isinstance(inner.iter, ast.Tuple):
                    for name, value in _loop(inner.target, inner.iter):
                        known[name] = known.get(name, frozenset()) | {value}

    def _values(self, node: ast.expr, known: _Known) -> set[Any]:
        """The constants that an expression may be."""
        match node:
            case ast.Constant(value=value):
                return {value}
            case ast.IfExp(body=body, orelse=orelse):
                return self._values(body, known) | self._values(orelse, known)
            case ast.Name(id=name) if isinstance(known.get(name), frozenset):
                return set(known[name])
            case _:
                return set()

    def _read_here(self, node: ast.AST, known: _Known) -> Iterator[tuple[int | None, str | None]]:
        def is_call(value: ast.expr) -> bool:
            return isinstance(value, ast.Name) and known.get(value.id) is _CALL

        match node:
            case ast.Call(func=ast.Attribute(attr="arg", value=call), args=[at, *names]) if is_call(call):
                for index in self._values(at, known):
                    for name in self._values(names[0], known) if names else [None]:
                        yield index, name
            case ast.Call(func=ast.Name(id="operand"), args=[_, call, at, *names]) if is_call(call):
                for index in self._values(at, known):
                    for written in names:
                        for name in self._values(written, known):
                            yield index, name
            case (
                ast.Call(func=ast.Attribute(attr="get", value=ast.Attribute(attr="kwargs", value=call)), args=[key, *_])
                | ast.Subscript(value=ast.Attribute(attr="kwargs", value=call), slice=key)
                | ast.Compare(left=key, comparators=[ast.Attribute(attr="kwargs", value=call)])
            ) if is_call(call):
                for name in self._values(key, known):
                    yield None, name

    def _follow(self, node: ast.Call, known: _Known, scope: dict[str, Any]) -> None:
        """Read what the call is handed to."""
        given = [*enumerate(node.args), *((k.arg, k.value) for k in node.keywords if k.arg)]
        handed = any(isinstance(v, ast.Name) and known.get(v.id) is _CALL for _, v in given)
        called = _resolve(node.func, scope)
        if not handed or not isinstance(called, FunctionType) or called.__name__ == "operand":
            return
        names = list(inspect.signature(called).parameters)
        bound: _Known = {}
        for key, value in given:
            name = names[key] if isinstance(key, int) and key < len(names) else key
            if isinstance(name, str) and not isinstance(value, ast.Starred):
                if isinstance(value, ast.Name) and known.get(value.id) is _CALL:
                    bound[name] = _CALL
                elif constants := self._values(value, known):
                    bound[name] = frozenset(constants)
        self.read(called, bound)

    def _defaults(self, node: ast.AST, scope: dict[str, Any]) -> dict[ast.AST, object]:
        """The constant after `call.arg(…) or`, in `call.arg(…, …, constant)`, in `call.kwargs.get(…, constant)`."""
        found: dict[ast.AST, object] = {}
        for inner in ast.walk(node):
            match inner:
                case ast.BoolOp(op=ast.Or(), values=[*readings, last]):
                    found |= dict.fromkeys(readings, _constant(last, scope))
                case ast.Call(func=ast.Attribute(attr="arg"), args=[_, _, last]):
                    found[inner] = _constant(last, scope)
                case ast.Call(func=ast.Attribute(attr="get", value=ast.Attribute(attr="kwargs")), args=[_, last]):
                    found[inner] = _constant(last, scope)
        return found


def _loop(target: ast.expr, over: ast.Tuple) -> Iterator[tuple[str, Any]]:
    """The names of a loop over constants, with what they are."""
    if isinstance(target, ast.Name):
        for item in over.elts:
            if isinstance(item, ast.Constant):
                yield target.id, item.value


def _resolve(node: ast.expr, scope: dict[str, Any]) -> object:
    if isinstance(node, ast.Name):
        return scope.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _resolve(node.value, scope)
        return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
    return None


def _constant(node: ast.expr, scope: dict[str, Any]) -> object:
    """The Python value of `Const(…)`, `TRUE` and the like; None, which also means "not given", is no default."""
    value: object = None
    match node:
        case ast.Call(func=ast.Name(id="Const"), args=[written]):
            try:
                return ast.literal_eval(written)
            except ValueError:
                return NO_DEFAULT
        case ast.Name(id=name):
            value = scope.get(name)
    return value.value if isinstance(value, Const) and value != NONE else NO_DEFAULT
