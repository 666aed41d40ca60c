"""What shows that a rule finds a cause: a script that is marked with the rule, and what torch said of the script."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from aoti_lint.triage.diagnose import diagnose

PROOF = Path(__file__).parent.parent / "proof"
RECORDED = Path(__file__).parent / "recorded.json"


def told(lines: Iterable[str], codes: set[str]) -> set[tuple[str, str]]:
    """The causes that lines have, each with those of the codes that it names."""
    found = diagnose(lines)
    return {(one.cause.name, code) for one in (*found.causes, *found.notes) for code in codes & {*one.cause.rules}}


def marked(script: Path) -> set[str]:
    """The codes that a script is marked with, `# <- CODE …`."""
    marks = re.findall(r"# <- (.+)$", script.read_text(encoding="utf-8"), re.MULTILINE)
    return {code for mark in marks for code in mark.split()}


def sha(script: Path) -> str:
    """What tells whether a script was changed since."""
    return hashlib.sha256(script.read_bytes()).hexdigest()[:16]
