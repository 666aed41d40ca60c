"""Calls of exported programs (`ep.module()`), as they are noted."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

from ..events import Events
from ..wrapping import FILE, Around, inside, wrap, wrapper_of
from . import packages, tensors

_MARK = "_aoti_lint_call"
"""The attribute of a class whose calls are noted that has what they were before."""
_INSIDE = ("export", "write", "lower")
"""What torch calls programs in, for its own ends."""


def watch(module: Any, events: Events) -> None:
    """`torch.export.exported_program`: have the calls of what `ExportedProgram.module()` gives noted."""
    program = getattr(module, "ExportedProgram", None)
    if program is not None:
        wrap(program, "module", partial(_Made, events), events)


def unwatch(module: Any, events: Events) -> None:
    """`torch`: what is given to `torch.compile` is called as it was. Dynamo does not trace into what notes calls."""
    wrap(module, "compile", partial(_Compiled, events), events)


class _Made(Around):
    """Each of these modules has a class of its own, whose `__call__` torch.fx has written."""

    def after(self, result: Any) -> Any:
        kind: Any = type(result)
        if "__call__" in vars(kind) and not hasattr(kind, _MARK) and not any(map(inside, _INSIDE)):
            original = kind.__call__
            noted = wrapper_of(original, partial(_Call, self.events, "program"), self.events, "program")

            def call(*args: Any, **kwargs: Any) -> Any:
                return (original if _traced() else noted)(*args, **kwargs)

            call.__code__ = call.__code__.replace(co_filename=FILE)
            kind.__call__ = call
            setattr(kind, _MARK, original)
        return result


class _Compiled(Around):
    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        kind: Any = type(args[0] if args else kwargs.get("model"))
        if _MARK in vars(kind):
            kind.__call__ = getattr(kind, _MARK)
        return args, kwargs


class _Call(packages.Noted):
    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        self.begin(inputs=tensors.describe([args[1:], kwargs]))
        return args, kwargs

    def after(self, result: Any) -> Any:
        self.ended(outputs=tensors.judge(result))
        return result


def _traced() -> bool:
    """Whether the call is recorded, by whatever: what we ask about its tensors would be, too."""
    torch: Any = sys.modules["torch"]
    modes = getattr(torch._C, "_len_torch_dispatch_stack", int)
    return bool(torch.compiler.is_compiling() or modes() or torch.jit.is_tracing())
