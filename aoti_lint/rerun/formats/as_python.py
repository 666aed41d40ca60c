"""A plan as a Python script, which needs no shell: for Windows, and for who reads Python better."""

from __future__ import annotations

import os
import pprint
from typing import Final

from aoti_lint.rerun.formats.words import OPTIONS, about, carried, head, is_ours
from aoti_lint.rerun.plan import Plan

_FOLDER: Final = os.path.dirname(__file__)
_WIDTH: Final = 110


def write(plan: Plan) -> str:
    """The whole script: the frame, with the plan in it."""
    lines = ["#!/usr/bin/env python3", *(f"# {line}".rstrip() for line in head(plan)), "#"]
    for stage in plan.stages:
        lines += [f"# {stage.name}: {stage.title}", *(f"#   {line}" for line in about(stage))]
    lines += ["#", "# python rerun.py            all stages", "# python rerun.py kernels    only these stages",
              *(f"# {line}" for line in OPTIONS), ""]  # fmt: skip
    shown = pprint.pformat(_bare(plan), width=_WIDTH, sort_dicts=False)
    text = _text("frame.py").replace("PLAN: Any = {}\n", f"PLAN: Any = {shown}\n", 1)
    text = text.replace('HOOK = ""\n', f"HOOK = r'''\n{_text('hook.py')}'''\n", 1)
    return "\n".join(lines) + text


def _bare(plan: Plan) -> dict[str, object]:
    """What of the plan the script runs by; the rest stands in its comments."""
    stages = [stage.model_dump(mode="json", exclude={"why", "reads"}) for stage in plan.stages]
    for step in (step for stage in stages for step in stage["steps"]):
        step["command"] = [f"{{tools}}/{os.path.basename(w)}" if is_ours(w) else w for w in step["command"]]
    return {"packages": list(plan.packages), "tools": carried(plan), "stages": stages}


def _text(name: str) -> str:
    with open(os.path.join(_FOLDER, name), encoding="utf-8") as file:
        return file.read()
