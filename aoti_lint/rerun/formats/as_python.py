"""A plan as a Python script, which needs no shell: for Windows, and for who reads Python better."""

from __future__ import annotations

import os
from typing import Final

from aoti_lint.quoting.python import Python, block, comment, frame, joined, shown
from aoti_lint.rerun.formats.words import OPTIONS, about, carried, head, is_ours
from aoti_lint.rerun.plan.plan import Plan

_FOLDER: Final = os.path.dirname(__file__)


def write(plan: Plan) -> Python:
    """The whole script: the frame, with the plan in it."""
    lines = [Python("#!/usr/bin/env python3"), *map(comment, head(plan)), comment("")]
    for stage in plan.stages:
        lines += [comment(f"{stage.name}: {stage.title}"), *(comment(f"  {line}") for line in about(stage))]
    lines += [comment(""), comment("python rerun.py            all stages")]
    lines += [comment(f"python rerun.py {plan.stages[0].name}    only these stages")] if plan.stages else []
    lines += [*map(comment, OPTIONS), Python("")]
    filled = frame(_text("frame.py"), PLAN=shown(_bare(plan)), HOOK=block("\n" + _text("hook.py")))
    return joined([*lines, filled], "\n")


def _bare(plan: Plan) -> dict[str, object]:
    """What of the plan the script runs by; the rest stands in its comments."""
    stages = [stage.model_dump(mode="json", exclude={"why", "reads"}) for stage in plan.stages]
    for step in (step for stage in stages for step in stage["steps"]):
        step["command"] = [f"{{tools}}/{os.path.basename(w)}" if is_ours(w) else w for w in step["command"]]
    return {"packages": list(plan.packages), "tools": carried(plan), "stages": stages}


def _text(name: str) -> str:
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read()
