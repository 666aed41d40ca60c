"""Run with torch: holds the fakes of kernels of one line against the kernels, on tensors of many kinds.

    python hold_kernels.py SCRIPT …

Each script defines ops of up to three tensors with `torch.library.custom_op`. A fake may refuse arguments (its checks
raise); what it gives must have the sizes, strides and dtype that the kernel gives. Prints what differs, and the fakes
that never agree.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator
from typing import Any

import torch

PAIRS = (((4, 6), (6,)), ((4, 6), (4, 1)), ((4, 6), (6, 3)), ((4, 6), (3, 6)), ((2, 4, 6), (6, 3)),
         ((2, 4, 6), (2, 6, 3)), ((4, 6), ()), ((3, 6), (5, 6)))  # fmt: skip
TRIPLES = (((4, 6), (6, 3), (3,)), ((4, 6), (3, 6), (3,)), ((4, 6), (6, 3), (4, 3)), ((4, 6), (6,), (4, 1)))
REFUSED = "Expected cond to be True"


def tensors() -> list[torch.Tensor]:
    """Tensors of several ranks, dtypes and orders of dimensions."""
    made = [torch.randn(sizes) for sizes in ((4, 6), (4, 4), (8,), (1, 6), (3, 4, 5), (2, 3, 4, 5))]
    made += [torch.randn(6, 4).t(), torch.randn(5, 4, 3).permute(2, 1, 0), torch.randn(3, 5, 4).transpose(1, 2)]
    made += [torch.randn(8, 6)[::2], torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last)]
    made += [torch.randn(4, 6).to(dtype) for dtype in (torch.float16, torch.float64, torch.bool)]
    return made + [torch.arange(24, dtype=dtype).reshape(4, 6) for dtype in (torch.int64, torch.int32)]


def cases(count: int) -> Iterator[tuple[torch.Tensor, ...]]:
    for one in tensors():
        yield tuple(one.clone() for _ in range(count))
    for sizes in PAIRS if count == 2 else TRIPLES if count == 3 else ():
        yield tuple(torch.randn(s) for s in sizes)
    if count == 2:
        yield torch.randn(4, 6), torch.randn(4, 6).half()
        yield torch.randn(4, 6), torch.arange(24).reshape(4, 6)
        yield torch.randn(4, 6), torch.randn(6, 4).t()
        yield torch.randn(6, 4).t(), torch.randn(3, 6).t()


def metadata(made: Any) -> list[Any]:
    """Sizes, dtypes and strides; those of dimensions of size 1 say nothing."""
    found = []
    for one in made if isinstance(made, list | tuple) else [made]:
        sizes = tuple(one.shape)
        strides = tuple(s for s, size in zip(one.stride(), sizes, strict=True) if size != 1 and 0 not in sizes)
        found.append((sizes, one.dtype, strides))
    return found


def kernel_of(op: Any, args: tuple[torch.Tensor, ...]) -> list[Any] | None:
    """What the kernel gives; None where it raises, or gives its argument."""
    try:
        made = op._init_fn(*args)
    except Exception:
        return None
    own = {a.untyped_storage().data_ptr() for a in args}
    several = made if isinstance(made, list | tuple) else [made]
    return None if any(one.untyped_storage().data_ptr() in own for one in several) else metadata(made)


def fake_of(op: Any, args: tuple[torch.Tensor, ...], real: list[Any]) -> list[Any] | None:
    """What the fake gives; None where it refuses the arguments."""
    from torch._library.fake_impl import set_ctx_getter

    class Context:
        """Gives the sizes that the data decided."""

        def new_dynamic_size(self) -> int:
            return left.pop(0)

    left: list[int] = [sizes[0] for sizes, _, _ in real if sizes]
    try:
        with set_ctx_getter(Context):
            return metadata(op._abstract_fn(*args))
    except RuntimeError as error:
        if REFUSED in str(error):
            return None
        raise


def hold(op: Any) -> Iterator[str]:
    agreed = False
    for args in cases(op._init_fn.__code__.co_argcount):
        real = kernel_of(op, args)
        given = None if real is None else fake_of(op, args, real)
        if given is not None:
            agreed = agreed or given == real
            if given != real:
                yield f"{[(tuple(a.shape), a.dtype, a.stride()) for a in args]}: {real} and not {given}"
    if not agreed:
        yield "never agrees"


if __name__ == "__main__":
    torch.manual_seed(0)
    for script in sys.argv[1:]:
        for name, op in runpy.run_path(script).items():
            if isinstance(op, torch.library.CustomOpDef) and op._abstract_fn is not None:
                print(name, "held")
                for line in hold(op):
                    print(name, "differs", line)
