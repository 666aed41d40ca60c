"""Operators whose kernel is for a GPU alone, and what becomes of a process whose GPU a kernel has broken."""

from __future__ import annotations

from typing import Any

import torch

_EVERYWHERE = (
    "CPU",
    "CompositeExplicitAutograd",
    "CompositeImplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
)
"""Dispatch keys under which a kernel takes tensors on the CPU."""


class DeviceLost(RuntimeError):
    """A kernel failed so that nothing runs on the GPU any more in this process, as after an illegal access."""


def only_on_gpu(op: Any) -> bool:
    """Whether the operator has a kernel for CUDA, or ROCm, and none that takes tensors on the CPU."""
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    name = op.name()
    return bool(has(name, "CUDA")) and not any(has(name, key) for key in _EVERYWHERE)


def settled(tensors: Any) -> None:
    """Wait for the GPU, if any of these is on it: what fails there says so at a later call otherwise.

    Raises what the kernel failed with, `DeviceLost` where the GPU does not recover.
    """
    if not any(tensor.is_cuda for tensor in tensors):
        return
    try:
        torch.cuda.synchronize()
    except Exception as error:
        raise_if_lost(error)
        raise


def raise_if_lost(error: BaseException) -> None:
    """Raise `DeviceLost` if the GPU does not answer after this error."""
    if not torch.cuda.is_initialized():
        return
    try:
        torch.cuda.synchronize()
    except Exception:
        raise DeviceLost(str(error).partition("\n")[0]) from error
