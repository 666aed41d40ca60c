"""Reads the stack that gdb prints (`bt`): the innermost frame that says whose code it is.

Frames as gdb 13 writes them, of packages compiled with AOT_INDUCTOR_DEBUG_SYMBOLS=1 by torch 2.13 (CPU):
`#17 0x… in torch::aot_inductor::AOTInductorModel::run_impl (this=…) at /tmp/…/wrapper.cpp:672`, and ` from LIBRARY`
where there are no lines.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

_FRAME = re.compile(
    r"^#\d+ +(?:0x[0-9a-f]+ in )?(?P<function>\S.*?) \(.*?(?: at (?P<path>\S+):(?P<line>\d+)| from (?P<library>\S+))?$"
)
_KERNEL = re.compile(r"\b((?:cpp_fused|triton)_\w+)")
_EXTERN = re.compile(r"\b(aoti_torch_(?:cpu|cuda|xpu|mps)_\w+)")
_WRAPPER = re.compile(r"\bAOTInductorModel::run_impl\b")
_HEAP = re.compile(r"\b(?:malloc_printerr|__libc_message|_int_free|unlink_chunk|malloc_consolidate|free_check)\b")
"""Functions of glibc in which a process dies of memory that was overwritten before."""
_FOREIGN = re.compile(
    r"(?:^|/)(?:lib(?:torch|c10|python|stdc|gomp|iomp|c\.so|m\.so|pthread|mkl|gcc_s|ffi|cud)[^/]*|ld-[^/]*|fence\.so"
    r"|_ctypes[^/]*|python[\d.]*)$"
    r"|^(?:\.\.?/|/usr/include/|/build/)|/torch/(?:include|csrc|lib)/|^(?:Python|Objects|Modules|\./Include)/"
)
"""Files of torch, Python and the system. glibc and Python name their sources by relative paths."""
_GENERATED = re.compile(r"(?:wrapper|kernel)\.(?:cpp|so)$|/torchinductor_|/data/aotinductor/")


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: its function, and its line or its library as far as gdb knows them."""

    function: str
    path: str = ""
    line: int = 0
    library: str = ""


@dataclass(frozen=True, slots=True)
class Blame:
    """Whose code it was. `after` says that memory had been overwritten before: then it is not to blame."""

    kind: Literal["kernel", "extern", "library", "wrapper"]
    name: str
    frame: Frame
    after: bool


def frames(lines: Sequence[str]) -> Iterator[Frame]:
    """The frames of the stack in a log of gdb, the innermost first; of the first stack, if there are several."""
    begun = False
    for line in lines:
        if begun and line.startswith("#0 "):
            return
        found = _FRAME.match(line.rstrip())
        if found is not None:
            begun = True
            yield Frame(found["function"], found["path"] or "", int(found["line"] or 0), found["library"] or "")


def blamed(lines: Sequence[str]) -> Blame | None:
    """The innermost frame of a kernel, of a library of the user's, or of the package's wrapper; None without one."""
    after = False
    for frame in frames(lines):
        after = after or _HEAP.search(frame.function) is not None
        if kernel := _KERNEL.search(frame.function):
            return Blame("kernel", kernel[1], frame, after)
        if extern := _EXTERN.search(frame.function):
            return Blame("extern", extern[1], frame, after)
        if _WRAPPER.search(frame.function):
            return Blame("wrapper", frame.function, frame, after)
        if is_users(frame.path or frame.library):
            return Blame("library", frame.function, frame, after)
    return None


def is_users(file: str) -> bool:
    """Whether a source or a library is neither of torch, Python and the system, nor of a package."""
    return bool(file) and not _FOREIGN.search(file) and not _GENERATED.search(file)


def described(blame: Blame) -> str:
    """Where it was, in words."""
    frame = blame.frame
    where = f"{frame.path}:{frame.line}" if frame.path else os.path.basename(frame.library)
    return f"{frame.function}" + (f" ({where})" if where else "")
