"""Notes which custom op written in Python is entered and left while a package runs.

The debug printer prints nothing about an op that the package calls back into Python for; one that ends the process
would have no name.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from traceback import walk_stack
from typing import Any

from .. import places
from ..events import Events
from ..wrapping import disguised
from . import packages, tensors

_KEYS = frozenset({"CPU", "CUDA", "HIP", "XPU", "MPS", "CompositeExplicitAutograd"})
"""Dispatch keys of kernels that compute. An op without one is taken apart when it is exported."""
_BETWEEN = ("library.py", "_library")
"""Files of torch through which kernels are registered."""


def watch(module: Any, events: Events) -> None:
    """`torch.library`: have kernels that are registered from now on noted when they run."""
    library = getattr(module, "Library", None)
    original = getattr(library, "impl", None)
    if library is None or original is None:
        return

    def impl(self: Any, op_name: Any, fn: Any, dispatch_key: str = "", *args: Any, **kwargs: Any) -> Any:
        given = fn
        try:
            key = dispatch_key or getattr(self, "dispatch_key", "")
            plain = fn is not getattr(module, "fallthrough_kernel", None) and not kwargs.get("with_keyset")
            if key in _KEYS and plain and callable(fn) and not args and not _is_torchs():
                fn = _kernel(f"{self.ns}::{_short(op_name)}", fn, events)
        except Exception as error:
            events.note(f"cannot watch the op {op_name}", error)
            fn = given
        return original(self, op_name, fn, dispatch_key, *args, **kwargs)

    library.impl = disguised(impl, original)


def _short(name: Any) -> str:
    return str(name() if callable(name) and hasattr(name, "_schema") else name).rpartition("::")[2]


def _is_torchs() -> bool:
    """Whether torch registers a kernel of its own."""
    for frame, _ in walk_stack(sys._getframe(2)):
        file = frame.f_code.co_filename
        if not places.in_torch(file):
            return False
        parts = file.replace("\\", "/").split("/torch/")[-1].split("/")
        if parts[0] not in _BETWEEN:
            return True
    return False


def _kernel(name: str, fn: Callable[..., Any], events: Events) -> Any:
    place = places.here()

    def kernel(*args: Any, **kwargs: Any) -> Any:
        if not packages.running:
            return fn(*args, **kwargs)
        number = events.write("op", name=name, inputs=_described([args, kwargs]), place=place)
        try:
            result = fn(*args, **kwargs)
        except BaseException as error:
            events.raised("op", number, error, name=name, place=places.of_error(error) or place)
            raise
        events.write("returned", of=number, what="op", name=name, outputs=_described(result))
        return result

    return disguised(kernel, fn)


def _described(values: Any) -> Any:
    try:
        return tensors.describe(values)
    except Exception as error:
        return [{"kind": "unknown", "value": f"{type(error).__name__}: {error}"}]
