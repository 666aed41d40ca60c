"""The names of the files that the debug printer saves.

A package writes `<cwd>/tmp/aoti_torchbefore_launch_<kernel>_<argument>_<device>.pt`: the slash after `aoti_torch` is
missing in 2.13 (run on CPU; on an H200 in 2.11), other releases and guides have it. torch.compile writes
`<cwd>/tmp/jit_inductor/before_launch_<kernel>_<argument>.pt` (2.13.0 `_inductor/codegen/debug_utils.py:213`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_FILE = re.compile(r"^(?:aoti_torch)?(?P<when>before|after)_launch_(?P<rest>.+)\.pt$")
_DEVICE = re.compile(r"_(?P<device>(?:cpu|cuda|xpu|mps|hip)(?::\d+)?)$")
_PLAIN = re.compile(r"^(?P<kernel>.+?)_(?P<argument>buf\d+|arg\d+_\d+|primals_\d+|tangents_\d+)$")
_TRITON = re.compile(r"^(?P<kernel>triton_\w+?_\d+)_(?P<argument>\w+)$")


@dataclass(frozen=True, slots=True)
class Name:
    """What a file is of: `when` is `before` or `after` the launch of `kernel`; `device` is empty where unknown."""

    when: str
    kernel: str
    argument: str
    device: str


def understood(files: Iterable[str]) -> dict[str, Name]:
    """The names among the files of one folder that are of saved tensors.

    Kernel and argument are both joined by underscores. Buffers and inputs (`buf0`, `arg1_1`) are told by their form;
    weights by the kernels that are known from these.
    """
    found: dict[str, Name] = {}
    others: list[tuple[str, str, str, str]] = []
    for file in files:
        match = _FILE.match(file)
        if match is None:
            continue
        rest = match["rest"]
        device = found_device["device"] if (found_device := _DEVICE.search(rest)) else ""
        rest = _DEVICE.sub("", rest)
        plain = _PLAIN.match(rest)
        if plain is None:
            others.append((file, match["when"], rest, device))
        else:
            found[file] = Name(match["when"], plain["kernel"], plain["argument"], device)
    kernels = sorted({name.kernel for name in found.values()}, key=len, reverse=True)
    for file, when, rest, device in others:
        kernel = next((k for k in kernels if rest.startswith(k + "_")), None)
        if kernel is not None:
            found[file] = Name(when, kernel, rest[len(kernel) + 1 :], device)
        elif triton := _TRITON.match(rest):
            found[file] = Name(when, triton["kernel"], triton["argument"], device)
        else:
            kernel, _, argument = rest.rpartition("_")
            found[file] = Name(when, kernel or rest, argument, device)
    return found
