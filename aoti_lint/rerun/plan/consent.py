"""What a rerun says before anything is run: each command, how often at most, and where. What it does not name is not
run."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from pydantic import Field

from aoti_lint.errors import CannotRun
from aoti_lint.quoting.frozen import Frozen
from aoti_lint.quoting.shell import command
from aoti_lint.rerun.copied.survey import Survey, amount
from aoti_lint.rerun.plan.plan import ROUNDS, Plan, Stage, Step

_KEPT = "What they write into the folder is gone with the copy. What they write elsewhere, or send, is not held back."
_BUT = "Nor is what code other than Python writes to a path from / into the folder that it makes up while it runs."
_IN_PLACE = "Packages that they write over are put back. Nothing else that they write, remove or send is held back."


class Runs(Frozen):
    """A command, how often it is run at most, in which stages. Debug flags, and tools around it, come with it."""

    command: tuple[str, ...]
    times: int
    stages: tuple[str, ...]
    why: str = Field(default="", description="Why it is run, where it is not what the user asked for.")


class Consent(Frozen):
    """All that is run, and where: in a copy of `folders`, whose `linked` parts stay where they are; or in place."""

    runs: tuple[Runs, ...]
    folders: tuple[str, ...] = ()
    files: int = Field(default=0, description="How many are copied.")
    size: int = Field(default=0, description="Bytes that are copied.")
    linked: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """It, for people."""
        where = "where it is, not in a copy"
        if self.folders:
            named = " and ".join(self.folders)
            where = f"in a copy of {named} ({self.files} files, {amount(self.size)})"
        found = [f"this runs, {where}:"]
        for one in self.runs:
            why = f", as {one.why}" if one.why else ""
            often = f"up to {one.times} times" if one.times > 1 else "once"
            typed = command(one.command, kept="{}")
            found.append(f"  {typed}: {often} ({', '.join(one.stages)}){why}")
        if self.linked:
            named = ", ".join(map(os.path.relpath, self.linked))
            found.append(f"  Not copied, but used where they are: {named}")
        found += [f"  {said}" for said in ((_KEPT, _BUT) if self.folders else (_IN_PLACE,))]
        return found


class Allowed:
    """Counts what is run. Raises `CannotRun` for what was not said, or is run more often than that."""

    def __init__(self, consent: Consent) -> None:
        self._left = Counter({one.command: one.times for one in consent.runs})

    def take(self, plan: Plan, step: Step) -> None:
        """One more process of `step`, as `plan` has it."""
        words = command_of(plan, step)
        if not self._left[words]:
            raise CannotRun(f"{command(words)} was to be run, and nobody was asked whether it may: not run")
        self._left[words] -= 1


def consent_to(plans: Sequence[Plan], survey: Survey | None, why: dict[tuple[str, ...], str]) -> Consent:
    """What is said of a plan, and of those that may take its place: each stage is run as one of them has it.

    `why` says of commands that the user did not name why they are run.
    """
    stages: dict[str, Counter[tuple[str, ...]]] = {}
    for plan in plans:
        for stage in plan.stages:
            # Of each plan's, the larger number.
            stages[stage.name] = stages.get(stage.name, Counter()) | _counted(plan, stage)
    known = dict.fromkeys(words for found in stages.values() for words in found)
    runs = tuple(
        Runs(
            command=words, times=sum(found[words] for found in stages.values()),
            stages=tuple(name for name, found in stages.items() if words in found), why=why.get(words, ""),
        )
        for words in known
    )  # fmt: skip
    if survey is None:
        return Consent(runs=runs)
    linked = tuple(survey.originals)
    return Consent(runs=runs, folders=survey.folders, files=survey.files, size=survey.size, linked=linked)


def command_of(plan: Plan, step: Step) -> tuple[str, ...]:
    """What the user knows a step as: the target, without what is put before it or in it."""
    return plan.target if step.phase in ("run", "whole") else step.command


def _counted(plan: Plan, stage: Stage) -> Counter[tuple[str, ...]]:
    often = ROUNDS if stage.repeats else 1
    once = Counter(command_of(plan, step) for step in stage.steps)
    return Counter({words: times * often for words, times in once.items()})
