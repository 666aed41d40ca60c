"""Notes which Triton kernel runs while a package is compiled.

To choose their settings, AOTInductor runs the kernels of a model one after the other on tensors that it makes up:
random numbers and zeros (torch 2.11, H200; `codegen/wrapper.py`, `generate_and_run_autotune_block`). A kernel that
reads outside of its tensors ends the compile then, and the error says so at some later call of CUDA.
"""

from __future__ import annotations

import linecache
import os
import sys
from functools import partial
from typing import Any

from ..events import Events
from ..wrapping import Around, wrap
from . import tensors

_DEFINED = 40
"""Lines below the first decorator of a kernel in which its `def` is looked for."""


def watch(module: Any, events: Events) -> None:
    """`torch._inductor.runtime.triton_heuristics`: have every kernel noted that is run in a compile."""
    wrap(getattr(module, "CachingAutotuner", None), "run", partial(_Run, events), events, "tune")


class _Run(Around):
    """One launch. It waits for the device, so that an error is that of this kernel."""

    def __init__(self, events: Events) -> None:
        super().__init__(events)
        self._number = 0

    def before(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if not _compiling():
            return args, kwargs
        tuner, *given = args
        name = _name(tuner)
        self._number = self.events.write(
            "tune", name=name, place=_place(name, tuner), inputs=_leaves(_names(tuner), given),
            stacks=_stacks(name),
        )  # fmt: skip
        return args, kwargs

    def after(self, result: Any) -> Any:
        if self._number:
            try:
                sys.modules["torch"].cuda.synchronize()
            except Exception as error:
                # The compile goes on, and fails at its next call of CUDA.
                self.failed(error)
            else:
                self.events.write("returned", of=self._number, what="tune")
        return result

    def failed(self, error: BaseException) -> None:
        if self._number:
            self.events.raised("tune", self._number, error)


def _compiling() -> bool:
    """Whether a package is being compiled. torch.compile runs its kernels in the same way, but for good."""
    virtualized = sys.modules.get("torch._inductor.virtualized")
    try:
        return bool(virtualized is not None and virtualized.V.graph.aot_mode)
    except Exception:
        # No graph: nothing is being compiled.
        return False


def _name(tuner: Any) -> str:
    return str((tuner.inductor_meta or {}).get("kernel_name") or getattr(tuner.fn, "__name__", "kernel"))


def _names(tuner: Any) -> list[str]:
    """The arguments that are no constants, in the order in which they are given."""
    return [name for name, kind in tuner.triton_meta.get("signature", {}).items() if kind != "constexpr"]


def _leaves(names: list[str], given: list[Any]) -> list[dict[str, Any]]:
    made = []
    for name, value in zip(names, given, strict=False):
        for leaf in tensors.judge([value]):
            at = value.data_ptr() if leaf["kind"] == "tensor" else 0
            made.append({**leaf, **tensors.bounds(value), "name": name, "at": at})
    return made


def _place(name: str, tuner: Any) -> dict[str, Any] | None:
    """Where a kernel that the user wrote is defined."""
    wrapper = sys.modules.get("torch._higher_order_ops.triton_kernel_wrap")
    table = getattr(getattr(wrapper, "kernel_side_table", None), "id_to_kernel", {})
    own = getattr(tuner.fn, "__name__", "")
    for kernel in list(table.values()):
        function = getattr(kernel, "fn", None)
        while function is not None and not hasattr(function, "__code__"):
            # Under triton.autotune and the like.
            function = getattr(function, "fn", None)
        if function is not None and function.__name__ == own and name.startswith(own):
            code = function.__code__
            lines = range(code.co_firstlineno, code.co_firstlineno + _DEFINED)
            starts = (at for at in lines if linecache.getline(code.co_filename, at).lstrip().startswith("def "))
            path = os.path.abspath(code.co_filename)
            return {"path": path, "line": next(starts, code.co_firstlineno), "function": own}
    return None


def _stacks(name: str) -> list[str]:
    """The lines of the model that a kernel was made from, as far as this version of torch knows them."""
    debug = sys.modules.get("torch._inductor.debug")
    table = getattr(debug, "_inductor_kernel_stack_trace", {})
    return [str(stack) for key, stacks in list(table.items()) if key.partition(":")[0] == name for stack in stacks]
