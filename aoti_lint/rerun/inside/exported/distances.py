"""How far the outputs of a package are from those of its program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .nodes import tensors

TOLERANCE = {"float16": 1e-2, "bfloat16": 2e-2, "float32": 1e-3, "float64": 1e-6}
"""How far, relative to the largest number, a package may be from its program: kernels add in another order."""
LOW = ("float16", "bfloat16")
"""Types in which the program itself is so far from what it should give that it is no measure for its package."""
ROUNDED = 2.0
"""How far a package may be from what the program gives in float32, in errors of the program."""


def described(tensor: Any) -> str:
    """A tensor in words, such as `float32[4, 18] on cpu`."""
    device = str(tensor.device).partition(":")[0]
    return f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)} on {device}"


def low(outputs: Any) -> bool:
    """Whether any of the outputs has a type that rounds a lot."""
    return any(_kind(one) in LOW for one in tensors(outputs))


def _kind(tensor: Any) -> str:
    return str(tensor.dtype).replace("torch.", "", 1)


def distances(wanted: Any, wider: Callable[[], Any] | None, outputs: Any) -> list[dict[str, Any]]:
    """For each tensor in an output, whether it is the same as wanted, and how far off it is.

    `wider` gives what the program does in float32. It is asked where a type that rounds a lot makes a difference.
    """
    found = []
    wides: list[Any] | None = None
    for number, (one, other) in enumerate(zip(tensors(wanted), tensors(outputs))):  # noqa: B905 - Python 3.8
        if one.shape != other.shape or one.dtype != other.dtype:
            found.append({"same": False, "program": described(one), "package": described(other)})
            continue
        distance = _distance(one, other)
        if not distance["same"] and wider is not None and _kind(one) in LOW:
            wides = wides if wides is not None else list(tensors(wider()))
            if _is_rounding(one, other, wides[number]):
                distance = {"same": True}
        found.append(distance)
    return found


def _is_rounding(one: Any, other: Any, wide: Any) -> bool:
    """Whether what a package gives is no further from the wide numbers than what its program gives."""
    import torch

    a, b, exact = (value.detach().cpu().to(torch.float64) for value in (one, other, wide))
    if not bool((torch.isfinite(a) == torch.isfinite(b)).all()):
        return False
    good = torch.isfinite(a) & torch.isfinite(exact)
    if not bool(good.any()):
        return True
    mine, its = float((a - exact).abs()[good].max()), float((b - exact).abs()[good].max())
    return its <= ROUNDED * mine


def _distance(one: Any, other: Any) -> dict[str, Any]:
    import torch

    if not one.numel():
        return {"same": True}
    kind = _kind(one)
    if one.is_complex():
        one, other = torch.view_as_real(one), torch.view_as_real(other)
    a, b = one.detach().cpu().to(torch.float64), other.detach().cpu().to(torch.float64)
    finite = torch.isfinite(a)
    scale = float(a[finite].abs().max()) if bool(finite.any()) else 1.0
    close = TOLERANCE.get(kind, 0.0) * max(scale, 1.0)
    same = torch.isclose(a, b, rtol=0.0, atol=close, equal_nan=True)
    off = (a - b).abs()[~same & torch.isfinite(a) & torch.isfinite(b)]
    return {
        "same": bool(same.all()), "differing": int((~same).sum()), "of_all": same.numel(),
        "most": float(off.max()) if off.numel() else None,
        "nan": int(torch.isnan(b).sum()), "nan_in_program": int(torch.isnan(a).sum()),
    }  # fmt: skip
