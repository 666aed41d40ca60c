"""A plan as a commented shell script (bash), which needs aoti-lint only where a stage says so."""

from __future__ import annotations

import os
from collections.abc import Iterator

from aoti_lint.quoting import json
from aoti_lint.quoting.shell import (
    Shell,
    comment,
    filled,
    form,
    here,
    inside,
    joined,
    name,
    setting,
    source,
    word,
)
from aoti_lint.quoting.terminal import visible
from aoti_lint.rerun.formats.words import OPTIONS, about, carried, head, is_ours
from aoti_lint.rerun.plan.case import ALWAYS
from aoti_lint.rerun.plan.plan import FOLDER, GUARD, KERNEL, LAUNCHER, PACKAGE, PRELOAD, PROGRAM, Plan, Stage, Step

_HOLES = {
    FOLDER: Shell("${folder}"), KERNEL: Shell("${kernel}"), GUARD: Shell("${guard}"), PACKAGE: Shell("${package}"),
    PROGRAM: Shell("${program}"), LAUNCHER: Shell("${launcher}"),
}  # fmt: skip
"""Placeholders of plans, and the variables of the script that hold what stands for them."""
_FOUND = (KERNEL, GUARD, PACKAGE, PROGRAM, LAUNCHER)
"""Those that are found in what was run before."""
_FRAME = os.path.join(os.path.dirname(__file__), "frame.sh")
_HOOK = os.path.join(os.path.dirname(__file__), "hook.py")


def write(plan: Plan) -> Shell:
    """The whole script."""
    lines = [Shell("#!/usr/bin/env bash"), *map(comment, head(plan))]
    lines += [comment(""), comment("./rerun.sh            all stages, in this order:")]
    lines += [comment(f"  {stage.name:<14} {stage.title}") for stage in plan.stages]
    lines += [comment(f"./rerun.sh {plan.stages[0].name}    only these stages")] if plan.stages else []
    asks = next((stage.name for stage in plan.stages if stage.repeats), None)
    if asks is not None:
        lines += [comment(f"./rerun.sh {asks}:NAME,NAME    a stage that asks about kernels, with their names")]
    lines += [comment(""), *map(comment, OPTIONS)]
    always = joined(setting(variable, word(value)) for variable, value in ALWAYS.items())
    lines += [Shell("set -u"), form("export %s", always), Shell("")]
    lines += [form("STAGES=(%s)", joined(name(stage.name) for stage in plan.stages))]
    lines += [form("PACKAGES=(%s)", joined(map(_word, plan.packages))), Shell("")]
    lines += source(_text(_FRAME))
    if any(step.config or step.replace for stage in plan.stages for step in stage.steps):
        lines += [Shell(""), comment("Sets what has no variable, where torch is imported."),
                  *_file("hook/sitecustomize.py", _text(_HOOK))]  # fmt: skip
    for file, text in carried(plan).items():
        lines += [Shell(""), *_file(f"tools/{file}", text)]
    for stage in plan.stages:
        lines += [Shell(""), *_stage(stage)]
    lines += [Shell(""), Shell('main "$@"'), Shell("")]
    return joined(lines, "\n")


def _file(path: str, text: str) -> list[Shell]:
    """Lines that write a file below `$OUT`."""
    folder, target = (form('"$OUT/%s"', inside(below)) for below in (os.path.dirname(path), path))
    return [form("mkdir -p %s", folder), *here(target, text.rstrip())]


def _word(text: str) -> Shell:
    """A word of the script, with its placeholders as variables."""
    if is_ours(text):
        return form('"$OUT/tools/%s"', inside(os.path.basename(text)))
    return filled(text, _HOLES)


def _stage(stage: Stage) -> Iterator[Shell]:
    yield form("stage_%s() {", name(stage.name.replace("-", "_")))
    yield from (comment(line, indent=2) for line in about(stage))
    yield form("  title %s", word(visible(stage.title)))
    if stage.needs:
        yield form("  need %s || return 0", joined(map(word, stage.needs)))
    if stage.repeats:
        yield Shell("  find_kernel || return 0")
    for step in stage.steps:
        yield _step(step, asked=stage.repeats)
    yield Shell("}")


def _step(step: Step, *, asked: bool) -> Shell:
    """One command, with what is found for it, and skipped where that is missing."""
    texts = (*step.command, *step.environment.values())
    found = [hole for hole in _FOUND if any(hole in text for text in texts)]
    checks = [form("find_%s && ", name(hole.strip("{}"))) for hole in found if not (hole == KERNEL and asked)]
    needs = [*step.needs, *(["aoti-lint"] if step.command[0] == "aoti-lint" else [])]
    checks += [form("has %s && ", joined(map(word, needs)))] if needs else []
    start = {"tool": "tool", "build": "build", "run": "run", "whole": "run"}[step.phase]
    words = [name("inside" if step.inside else start)]
    settings = [_setting(variable, value) for variable, value in step.environment.items() if variable not in ALWAYS]
    if step.config or step.replace:
        given = json.document({"config": step.config, "replace": step.replace}, indent=None)
        settings += [Shell('PYTHONPATH="$OUT/hook${PYTHONPATH:+:$PYTHONPATH}"')]
        settings += [setting("AOTI_LINT_SETTINGS", word(given))]
    body = joined([*words, *([name("env")] if settings else [])])
    between = " \\\n    " if settings else " "
    return form("  %s%s", joined(checks, ""), joined([body, *settings, joined(map(_word, step.command))], between))


def _setting(variable: str, value: str) -> Shell:
    """A variable. What the caller preloads stays, and is no path with a blank."""
    if variable != PRELOAD:
        return setting(variable, _word(value))
    ours = inside(value, {FOLDER: Shell("$plain/$name")})
    return form('%s="%s${%s:+:$%s}"', name(variable), ours, name(variable), name(variable))


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
