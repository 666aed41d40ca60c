"""Recognises a report that was written before, which a new one may take the place of."""

from __future__ import annotations

import re

_BEGINS = re.compile(
    rb'\{\s*"format": "aoti-lint/'
    rb"|(?:error|warning|info)\[[A-Z]+\d+\] "
    rb"|No problems found\.\r?\n|Found \d+ (?:error|warning|piece|file)"
    rb"|[^\r\n]*:\d+:\d+: (?:error|warning|info) [A-Z]+\d+ [\w-]+: "
    rb"| +\d+  [A-Z]+\d+  [\w-]+\r?\n"
    rb"|\r?\n(?:Coverage: the places that matter|Nothing (?:that could be read )?exports, compiles, loads)"
)


def is_report(head: bytes) -> bool:
    """Whether a file that begins so is a report of `check`, in any of its formats."""
    return _BEGINS.match(head) is not None
