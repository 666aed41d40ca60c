"""The sentences that scripts of every format say about a plan."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterator

from aoti_lint.quoting.shell import command
from aoti_lint.rerun.inside import INSIDE
from aoti_lint.rerun.plan.plan import Plan, Stage

WIDTH = 100
"""Columns of comments."""
OPENING = "Looks for the cause of:"
"""How the first line of a script begins."""
OPTIONS = (
    "OUT=folder for logs (new for each start), LIMIT=seconds for each run (600),",
    "INPUT=file with what your program reads from standard input (nothing)",
)


def head(plan: Plan) -> Iterator[str]:
    """What stands at the top of a script, in lines."""
    yield f"{OPENING} {plan.symptom}"
    yield f"Runs: {command(plan.target)}"
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


def is_ours(word: str) -> bool:
    """Whether a word of a command is a file of this package: a written plan carries it along."""
    return os.path.isabs(word) and os.path.dirname(os.path.abspath(word)) == INSIDE


def carried(plan: Plan) -> dict[str, str]:
    """The files of this package that a plan runs or compiles, by name."""
    words = (word for stage in plan.stages for step in stage.steps for word in step.command)
    found = {}
    for path in sorted({word for word in words if is_ours(word)}):
        with open(path, encoding="utf-8") as file:
            found[os.path.basename(path)] = file.read()
    return found
