"""Runs the exported program beside its package, on the inputs of the user's own call.

Operators are watched on the way: what the fake of each promises for these very inputs is held against what its kernel
gives. A package believes the fake, and reads and writes memory by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Note = Callable[..., Any]
"""Takes the name of an event and its fields."""

BUILT_IN = frozenset({"aten", "prim", "prims", "inductor", "debugprims", "_quantized", "c10d", "_c10d_functional"})
"""Namespaces of operators whose fakes are torch's own."""
TOLERANCE = {"float16": 1e-2, "bfloat16": 2e-2, "float32": 1e-3, "float64": 1e-6}
"""How far, relative to the largest number, a package may be from its program: kernels add in another order."""


def expected(program: Any, args: Sequence[Any], kwargs: Mapping[str, Any], note: Note) -> Any:
    """What `program` (a torch.export.ExportedProgram) gives for copies of the inputs, and `op-differs` events.

    Raises what the program raises.
    """
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_map

    class Watch(TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            kwargs = kwargs or {}
            if getattr(func, "namespace", "aten") in BUILT_IN:
                return func(*args, **kwargs)
            promised = _promised(func, args, kwargs)
            given = func(*args, **kwargs)
            if promised is not None:
                _judge(func, promised, given, note)
            return given

    def copy(value: Any) -> Any:
        return value.detach().clone() if isinstance(value, torch.Tensor) else value

    with torch.no_grad(), Watch():
        return program.module()(*tree_map(copy, args), **tree_map(copy, kwargs))


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


def _judge(func: Any, promised: Any, given: Any, note: Note) -> None:
    for one, other in zip(tensors(promised), tensors(given), strict=False):
        if _symbolic(one):
            continue
        if described(one) != described(other):
            name = str(func.name()).partition(".")[0]
            note("op-differs", name=name, fake=described(one), kernel=described(other))
            return


def _symbolic(tensor: Any) -> bool:
    """Whether a size is decided by data, which a fake cannot know."""
    return any(not isinstance(size, int) for size in tensor.shape)


def described(tensor: Any) -> str:
    """A tensor in words, such as `float32[4, 18] on cpu`."""
    device = str(tensor.device).partition(":")[0]
    return f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)} on {device}"


def tensors(value: Any) -> Iterator[Any]:
    """The tensors in what a model takes or gives, in their order."""
    import torch
    from torch.utils._pytree import tree_leaves

    return (leaf for leaf in tree_leaves(value) if isinstance(leaf, torch.Tensor))


def compare(wanted: Any, outputs: Any, note: Note) -> None:
    """Note `compared` for each output: whether the package gave what the program gives, and how far off it is."""
    for number, (one, other) in enumerate(zip(tensors(wanted), tensors(outputs), strict=False)):
        if one.shape != other.shape or one.dtype != other.dtype:
            note("compared", output=number, same=False, program=described(one), package=described(other))
            continue
        note("compared", output=number, **_distance(one, other))


def _distance(one: Any, other: Any) -> dict[str, Any]:
    import torch

    if not one.numel():
        return {"same": True}
    kind = str(one.dtype).removeprefix("torch.")
    if one.is_complex():
        one, other = torch.view_as_real(one), torch.view_as_real(other)
    a, b = one.detach().cpu().to(torch.float64), other.detach().cpu().to(torch.float64)
    finite = torch.isfinite(a)
    scale = float(a[finite].abs().max()) if bool(finite.any()) else 1.0
    close = TOLERANCE.get(kind, 0.0) * max(scale, 1.0)
    same = torch.isclose(a, b, rtol=0.0, atol=close, equal_nan=True)
    off = (a - b).abs()[~same & torch.isfinite(a) & torch.isfinite(b)]
    return {
        "same": bool(same.all()), "differing": int((~same).sum()), "of": same.numel(),
        "most": float(off.max()) if off.numel() else None,
        "nan": int(torch.isnan(b).sum()), "nan_in_program": int(torch.isnan(a).sum()),
    }  # fmt: skip
