"""Random programs, run by Python and by the interpreter: what the interpreter claims is what Python has.

Each program has one thing the interpreter does not know. Python runs it both ways; what is said to be one value must be
that in both, and of a choice Python's must be one.
"""

from __future__ import annotations

import contextlib
import io
import os

import pytest

from aoti_lint.values.values import Choice, Value
from tests.language.programs import program
from tests.language.test_semantics import judged
from tests.snippets import Ran, run

ROUNDS = 8
EACH = 25


def by_python(text: str, unsure: bool) -> dict[str, object] | None:
    """The variables a program leaves; None where it fails."""
    scope: dict[str, object] = {"__name__": "__main__"}
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        patch.setitem(os.environ, "AOTI_LINT_TEST_UNSURE", "1" if unsure else "")
        try:
            exec(compile(text, "program", "exec", dont_inherit=True), scope)
        except Exception:
            return None
    return scope


def fits(ran: Ran, ours: Value, theirs: object) -> bool:
    """Whether a value of Python is one that the interpreter allows."""
    if isinstance(ours, Choice):
        return fits(ran, ours.then, theirs) or fits(ran, ours.other, theirs)
    return judged(ran.plain(ours), theirs) != "wrong"


def wrong(seed: int) -> list[str]:
    """What the interpreter claims of a program that is not so."""
    text = program(seed)
    found = [scope for scope in (by_python(text, True), by_python(text, False)) if scope is not None]
    if not found:
        return []
    ran = run(text)
    return [
        f"{name}: {ran.plain(ran.value(name))!r} instead of {scope[name]!r}\n{text}"
        for scope in found
        for name in scope
        if name[0] in "nsld" and name in ran.cells and isinstance(scope[name], int | str | list | dict)
        if not fits(ran, ran.value(name), scope[name])
    ]


@pytest.mark.parametrize("start", range(0, ROUNDS * EACH, EACH))
def test_claims_are_what_python_has(start: int) -> None:
    for seed in range(start, start + EACH):
        assert not wrong(seed), f"seed {seed}"
