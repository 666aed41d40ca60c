"""The sentences that scripts of every format say about a plan."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator

from aoti_lint.rerun.plan import Plan, Stage

WIDTH = 100
"""Columns of comments."""


def head(plan: Plan) -> Iterator[str]:
    """What stands at the top of a script, in lines."""
    yield f"Looks for the cause of: {plan.symptom}"
    yield f"Runs: {shlex.join(plan.target)}"
    yield ""
    for reason in plan.reasons:
        yield from wrapped(f"Because: {reason}")
    torch = f"torch {plan.torch}" if plan.torch else "a torch of unknown version"
    yield f"For: {torch} on {plan.device or 'any device'}"
    for note in plan.notes:
        yield from wrapped(f"Note: {note}")
    yield ""
    yield from wrapped(
        f"It starts your program up to {plan.runs} times, stage by stage; what each leaves behind goes into a folder "
        "of its own. A package of yours that a run writes over is put back afterwards."
    )


def about(stage: Stage) -> Iterator[str]:
    """The comment of a stage, in lines."""
    yield from wrapped(stage.why)
    yield from wrapped(f"Read: {stage.reads}")
    if stage.needs:
        yield f"Needs: {', '.join(stage.needs)}"


def wrapped(text: str) -> list[str]:
    """Sentences in lines of `WIDTH` columns; long words stay whole."""
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
