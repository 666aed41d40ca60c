"""The kernel or operator that an error was raised in, in the code that torch.compile generates.

Its Python calls one after the other: `triton_poi_fused_add_0.run(buf0, …)`, `extern_kernels.mm(…)`,
`torch.ops.shop.pool.default(…)`. Where kernels run at once (on the CPU, or with CUDA_LAUNCH_BLOCKING=1) the call that
raises is the one that fails (run on torch 2.11, H200).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from aoti_lint.rerun.named_files import lines_of
from aoti_lint.rerun.result import Culprit, Place
from aoti_lint.triage.diagnose import Diagnosis
from aoti_lint.triage.log import clean

BLOCKING: Final = "CUDA_LAUNCH_BLOCKING"
_FRAME: Final = re.compile(r'^\s*File "(?P<path>[^"]+\.py)", line \d+, in (?:call|run|<module>|\w+)$')
_GENERATED: Final = re.compile(r"[\\/]c[a-z2-7]{50,52}\.py$")
"""Files of Inductor's cache are named after a hash."""
_CALL: Final = re.compile(
    r"^\s*(?:\w+(?:\[\d+\])? = )?(?:(?P<kernel>\w+)\.run\(|extern_kernels\.(?P<extern>\w+)\("
    r"|torch\.ops\.(?P<namespace>\w+)\.(?P<op>\w+)\.\w+\(|(?P<cpp>cpp_fused_\w+)\()"
)
_ERROR: Final = re.compile(r"^(?P<type>[\w.]*(?:Error|Exception)): (?P<message>.*)")


def by_generated_code(found: Diagnosis, lines: Sequence[str], *, at_once: bool) -> list[Culprit]:
    """What the generated code was calling; none if the error was not raised there.

    `at_once` says that no kernel was launched before the one before it had ended; else the call is a hint.
    """
    call: re.Match[str] | None = None
    for at, line in enumerate(lines):
        text = clean(line)
        frame = _FRAME.match(text)
        if frame is not None and _GENERATED.search(frame["path"]):
            call = _CALL.match(clean(lines[at + 1])) if at + 1 < len(lines) else None
        elif call is not None and (error := _ERROR.match(text)):
            what = f"{error['type'].rpartition('.')[2]}: {error['message']}"
            return [_culprit(call, what, found.sources, at_once=at_once)]
    return []


def _culprit(call: re.Match[str], error: str, sources: Iterable[str], *, at_once: bool) -> Culprit:
    kind: Literal["kernel", "op"] = "op" if call["op"] else "kernel"
    name = f"{call['namespace']}::{call['op']}" if call["op"] else call["kernel"] or call["cpp"] or call["extern"]
    what = f"torch.compile's code was calling it when this was raised: {error}"
    return Culprit(kind=kind, name=name, what=what, sure=at_once, place=defined(name, sources))


def defined(kernel: str, sources: Iterable[str]) -> Place | None:
    """Where a Triton kernel of the user's is defined, in one of these files. Inductor adds a number to its name."""
    name = re.sub(r"_\d+$", "", kernel)
    pattern = re.compile(rf"^\s*def (?:{re.escape(kernel)}|{re.escape(name)})\(")
    for path in sources:
        for row, text in enumerate(lines_of(path), 1):
            if pattern.match(text):
                return Place(path=path, line=row, function=name, text=text.strip())
    return None
