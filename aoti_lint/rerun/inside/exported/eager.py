"""What torch.compile would have compiled, where it is told not to (TORCH_COMPILE_DISABLE=1): who makes the first NaN.

Each operator is looked at as it runs, with the line of the user's code that calls it.
"""

from __future__ import annotations

import linecache
import os
import sys
from functools import partial
from typing import Any

from .. import places
from ..events import Events
from ..wrapping import Around, wrap, wrapper_of
from . import nodes

DISABLED = "TORCH_COMPILE_DISABLE"
MOST = 20000
"""Operators of a call that are looked at."""


def watch(module: Any, events: Events) -> None:
    """`torch`: have functions that are given to `torch.compile` watched."""
    if os.environ.get(DISABLED) == "1":
        wrap(module, "compile", partial(_Compile, events), events)


def watch_modules(module: Any, events: Events) -> None:
    """`torch._dynamo.eval_frame`: the same for modules."""
    if os.environ.get(DISABLED) == "1":
        wrap(getattr(module, "OptimizedModule", None), "__call__", partial(_Call, events), events, "eager")


class _Compile(Around):
    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        self._named = bool(args) or "model" in kwargs
        return args, kwargs

    def after(self, result: Any) -> Any:
        if isinstance(result, sys.modules["torch"].nn.Module):
            return result
        if self._named:
            return wrapper_of(result, partial(_Call, self.events), self.events, "eager")

        def decorator(function: Any) -> Any:
            made = result(function)
            if isinstance(made, sys.modules["torch"].nn.Module):
                return made
            return wrapper_of(made, partial(_Call, self.events), self.events, "eager")

        return decorator


class _Call(Around):
    """One call, until one of them has given a bad number."""

    said = False

    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        self._mode: Any = None
        if not _Call.said:
            self._mode = _mode(args, kwargs)
            self._mode.__enter__()
        return args, kwargs

    def after(self, result: Any) -> Any:
        if self._mode is not None:
            self._leave()
            found = self._mode.fault(result)
            if found is not None:
                _Call.said = found["kind"] != "mask"
                self.events.write("origin", **found)
        return result

    def failed(self, error: BaseException) -> None:
        if self._mode is not None:
            self._leave()

    def _leave(self) -> None:
        self._mode.__exit__(None, None, None)


class _Node:
    """An operator that was called, or a tensor that came from outside, in the words of torch.fx."""

    def __init__(self, op: str, target: Any, given: list[_Node], stack: str = "") -> None:
        self.op, self.target, self.all_input_nodes = op, target, given
        self.meta = {"stack_trace": stack} if stack else {}


def _mode(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils.weak import WeakIdKeyDictionary

    module = args[0] if args and hasattr(args[0], "named_parameters") else None
    named = {} if module is None else {**dict(module.named_parameters()), **dict(module.named_buffers())}
    weights = {id(value): name.replace("_orig_mod.", "") for name, value in named.items()}
    inputs: dict[int, str] = {}
    for number, value in enumerate(args[1:] if module is not None else args):
        inputs.update((id(tensor), f"argument {number}") for tensor in nodes.tensors(value))
    for name, value in kwargs.items():
        inputs.update((id(tensor), name) for tensor in nodes.tensors(value))

    class Mode(TorchDispatchMode):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self._watched = nodes.Watched()
            self._known: Any = WeakIdKeyDictionary()
            self._left = MOST

        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = kwargs or {}
            self._left -= 1
            if self._left < 0:
                return func(*args, **kwargs)
            given = {self._node(tensor): tensor for tensor in nodes.tensors((args, kwargs))}
            node = _Node("call_function", func, list(given), _stack())
            try:
                result = self._watched.run(node, given, lambda _: func(*args, **kwargs))
            except nodes.Raised as raised:
                raise raised.error from None
            for tensor in nodes.tensors(result):
                self._known[tensor] = node
            return result

        def _node(self, tensor: Any) -> _Node:
            known = self._known.get(tensor)
            if known is None:
                weight = weights.get(id(tensor))
                kind = "get_attr" if weight is not None or id(tensor) not in inputs else "placeholder"
                known = _Node(kind, weight or inputs.get(id(tensor), "a tensor that is no argument"), [])
                self._known[tensor] = known
                self._watched.run(known, {}, lambda _: tensor)
            made: _Node = known
            return made

        def fault(self, result: Any) -> dict[str, Any] | None:
            given = {self._node(tensor): tensor for tensor in nodes.tensors(result)}
            self._watched.run(_Node("output", "output", list(given)), given, lambda _: result)
            found: dict[str, Any] | None = self._watched.fault()
            return found

    return Mode()


def _stack() -> str:
    spot = places.here()
    if spot is None:
        return ""
    text = linecache.getline(spot["path"], spot["line"]).strip()
    return f'File "{spot["path"]}", line {spot["line"]}, in {spot["function"]}\n    {text}'
