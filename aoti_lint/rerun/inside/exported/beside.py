"""Runs the exported program beside its package, on the inputs of the user's own calls.

Operators are watched on the way: what the fake of each promises for these very inputs is held against what its kernel
gives. A package believes the fake, and reads and writes memory by it.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ..events import Events
from ..files.paths import Paths
from ..wrapping import unnoted
from . import nodes
from .distances import described, distances, low
from .nodes import BUILT_IN, tensors

Note = Callable[..., Any]
"""Takes the name of an event and its fields."""

NAMED = 5
"""Buffers that are named."""
LARGEST = 1 << 26
"""Numbers in an argument of an operator up to which it is copied, to see whether it is changed."""
CALLS, SECONDS = 8, 30.0
"""The first calls of a process are compared, and later ones until this much time was spent on it."""


class Beside:
    """The programs of the packages of one process."""

    def __init__(self, events: Events, paths: Paths) -> None:
        self._events, self._paths = events, paths
        self._programs: dict[str, tuple[Any, Any]] = {}
        self._lock = threading.Lock()
        self._calls, self._spent, self._call = 0, 0.0, 0
        self._explained, self._random, self._stateful = False, False, False

    def run(
        self, package: str | None, args: Sequence[Any], kwargs: Mapping[str, Any], *, flat: bool, call: int = 0
    ) -> Any:
        """What the program of a package gives for these inputs, for `compare`; None if it cannot be run.

        `flat` if they are all tensors that the program takes, whatever it takes them in. `call` is the event of the
        call.
        """
        with self._lock:
            self._call = call
            return self._timed(package, args, kwargs, flat=flat)

    def _timed(self, package: str | None, args: Sequence[Any], kwargs: Mapping[str, Any], *, flat: bool) -> Any:
        self._calls += 1
        if package is None or (self._calls > CALLS and self._spent > SECONDS):
            return None
        start = time.monotonic()
        try:
            program, module = self._program(package)
            if program is None:
                return None
            if flat:
                from torch.utils._pytree import tree_unflatten

                args, kwargs = tree_unflatten(args, program.call_spec.in_spec)
            return self._run(program, module, args, kwargs)
        except Exception as error:
            self._events.note("the exported program cannot be run on these inputs", error)
            return None
        finally:
            self._spent += time.monotonic() - start

    def leave(self, package: str) -> None:
        """Do not run the program of a package any more."""
        self._programs[package] = None, None

    def _run(self, program: Any, module: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        before = _state(module)
        try:
            wanted = expected(module, args, kwargs, self._events.write)
        except Exception:
            _restore(module, before)
            self._explain(program, module, args, kwargs)
            raise
        after = _state(module)
        self._keeps_state(before, after)
        turned = [name for name, value in after.items() if nodes.bad(value) and not nodes.bad(before[name])]
        if turned or nodes.bad(wanted):
            _restore(module, before)
            self._explain(program, module, args, kwargs, turned)
        if self._calls == 1:
            _restore(module, before)
            again = expected(module, args, kwargs, lambda *_, **__: None)
            self._random = not all(one["same"] for one in distances(wanted, None, again))
        _restore(module, after)
        if self._random:
            self._events.note("the program gives other numbers each time: its package is not compared with it")
            return None
        kept = _copies(args, kwargs) if low(wanted) else None
        return wanted, kept and partial(_wider, module, before, *kept)

    def _keeps_state(self, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        """Note the buffers that a call changes, once."""
        import torch

        names = [name for name, value in before.items() if not torch.equal(value, after[name])]
        if names and not self._stateful:
            self._stateful = True
            self._events.write("state", names=names[:NAMED], differing=len(names))

    def _explain(
        self, program: Any, module: Any, args: Sequence[Any], kwargs: Mapping[str, Any], kept: Sequence[str] = ()
    ) -> None:
        """Note which node of the program is to blame, once."""
        if self._explained:
            return
        try:
            with unnoted("program"):
                args, kwargs = _copies(args, kwargs)
                found = nodes.run(program, module, args, kwargs, kept)
        except Exception as error:
            self._events.note("the nodes of the exported program cannot be run one by one", error)
            return
        if found is not None:
            self._explained = found["kind"] != "mask"
            self._events.write("origin", of=self._call, **found)

    def _program(self, package: str) -> tuple[Any, Any]:
        """The program of a package and its module, which keeps its state from call to call, as the package does."""
        if package not in self._programs:
            import torch

            path = self._paths.program(package, 0)
            if not os.path.isfile(path):
                path = self._paths.latest  # a package without a name lies in the cache
            program = torch.export.load(path) if os.path.isfile(path) else None
            self._programs[package] = program, program.module() if program is not None else None
        return self._programs[package]

    def compare(self, wanted: Any, outputs: Any) -> None:
        """Note how far the outputs of a package are from those of its program."""
        try:
            for number, distance in enumerate(distances(wanted[0], wanted[1], outputs)):
                self._events.write("compared", output=number, **distance)
        except Exception as error:
            self._events.note("the outputs cannot be compared", error)


def expected(module: Any, args: Any, kwargs: Any, note: Note) -> Any:
    """What `module`, as `ExportedProgram.module()` gives it, makes of copies of the inputs, and `op-differs` events.

    Raises what the module raises.
    """
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    class Watch(TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = kwargs or {}
            if getattr(func, "namespace", "aten") in BUILT_IN:
                return func(*args, **kwargs)
            promised = _promised(func, args, kwargs)
            before = _before(func, args, kwargs)
            given = _noted(func, args, kwargs, note)
            if promised is not None:
                _judge(func, promised, given, note)
            _changed(func, before, note)
            return given

    args, kwargs = _copies(args, kwargs)
    with torch.no_grad(), unnoted("program"), Watch():
        return module(*args, **kwargs)


def _copies(args: Any, kwargs: Any) -> Any:
    """The same arguments with tensors that may be changed."""
    import torch
    from torch.utils._pytree import tree_map

    def copy(value: Any) -> Any:
        return value.detach().clone() if isinstance(value, torch.Tensor) else value

    return tree_map(copy, args), tree_map(copy, kwargs)


def _wider(module: Any, state: Mapping[str, Any], args: Any, kwargs: Any) -> Any:
    """What a module gives when it computes in float32."""
    import copy

    import torch
    from torch.utils._pytree import tree_map

    def wide(value: Any) -> Any:
        floats = isinstance(value, torch.Tensor) and value.is_floating_point()
        return value.to(torch.float32) if floats else value

    made = copy.deepcopy(module)
    _restore(made, state)
    return expected(made.to(torch.float32), tree_map(wide, args), tree_map(wide, kwargs), lambda *_, **__: None)


def _state(module: Any) -> dict[str, Any]:
    """What calls of a module may change in it."""
    return {name: value.detach().clone() for name, value in module.named_buffers()}


def _restore(module: Any, state: Mapping[str, Any]) -> None:
    import torch

    with torch.no_grad():
        for name, value in module.named_buffers():
            value.copy_(state[name])


def _promised(func: Any, args: Any, kwargs: Any) -> Any:
    """What the fake gives for inputs of these sizes; None if it cannot be asked."""
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.utils._pytree import tree_map

    mode = FakeTensorMode(allow_non_fake_inputs=True)

    def fake(value: Any) -> Any:
        return mode.from_tensor(value, static_shapes=True) if isinstance(value, torch.Tensor) else value

    try:
        from torch.utils._python_dispatch import _disable_current_modes

        with _disable_current_modes():
            taken = tree_map(fake, (args, kwargs))
            with mode:
                return func(*taken[0], **taken[1])
    except Exception:  # a fake may raise anything; what it says is then not known
        return None


def _noted(func: Any, args: Any, kwargs: Any, note: Note) -> Any:
    """What an operator gives. One that ends the process was entered, and never left."""
    number = note("op", name=str(func.name()).partition(".")[0])
    try:
        return func(*args, **kwargs)
    finally:
        note("returned", of=number, what="beside")


def _before(func: Any, args: Any, kwargs: Any) -> list[tuple[str, Any, Any]]:
    """The name, the tensor and a copy of each argument that an operator says that it leaves as it is."""
    import torch

    arguments = list(getattr(getattr(func, "_schema", None), "arguments", ()))
    values = {**dict(zip((one.name for one in arguments), args)), **kwargs}  # noqa: B905
    named = {one.name: values.get(one.name) for one in arguments}
    written = [one.name for one in arguments if one.alias_info is not None and one.alias_info.is_write]
    memory = {_memory(one) for name in written for one in tensors(named[name])}
    return [
        (name, value, value.detach().clone())
        for name, value in named.items()
        if name not in written and isinstance(value, torch.Tensor) and value.numel() <= LARGEST
        and value.layout == torch.strided and not value.is_quantized and _memory(value) not in memory
    ]  # fmt: skip


def _memory(tensor: Any) -> int:
    return int(tensor.untyped_storage().data_ptr())


def _changed(func: Any, before: Sequence[tuple[str, Any, Any]], note: Note) -> None:
    """Note an argument that an operator wrote to, and said that it does not."""
    import torch

    for name, value, copy in before:
        # A NaN is not the same as itself.
        same = (value == copy) | (value != value) & (copy != copy)
        if value.shape != copy.shape or not bool(torch.as_tensor(same).all()):
            note("op-writes", name=str(func.name()).partition(".")[0], text=name)
            return


def _judge(func: Any, promised: Any, given: Any, note: Note) -> None:
    for one, other in zip(tensors(promised), tensors(given)):  # noqa: B905
        if _symbolic(one):
            continue
        if described(one) != described(other):
            name = str(func.name()).partition(".")[0]
            note("op-differs", name=name, fake=described(one), kernel=described(other))
            return


def _symbolic(tensor: Any) -> bool:
    """Whether a size is decided by data, which a fake cannot know."""
    return any(not isinstance(size, int) for size in tensor.shape)
