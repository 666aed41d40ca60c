"""A plan as a commented shell script (bash), which needs aoti-lint only where a stage says so."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator

from aoti_lint.rerun.case import ALWAYS
from aoti_lint.rerun.formats.words import OPTIONS, about, carried, head, is_ours
from aoti_lint.rerun.plan import FOLDER, GUARD, KERNEL, LAUNCHER, PACKAGE, PRELOAD, PROGRAM, Plan, Stage, Step

_HOLES = {FOLDER: "folder", KERNEL: "kernel", GUARD: "guard", PACKAGE: "package", PROGRAM: "program",
          LAUNCHER: "launcher"}  # fmt: skip
"""Placeholders of plans, and the variables of the script that hold what stands for them."""
_FOUND = (KERNEL, GUARD, PACKAGE, PROGRAM, LAUNCHER)
"""Those that are found in what was run before."""
_PLAIN = re.compile(r"[\w@%+=:,./-]+")
_FRAME = os.path.join(os.path.dirname(__file__), "frame.sh")
_HOOK = os.path.join(os.path.dirname(__file__), "hook.py")


def write(plan: Plan) -> str:
    """The whole script."""
    lines = ["#!/usr/bin/env bash", *(f"# {line}".rstrip() for line in head(plan))]
    lines += ["#", "# ./rerun.sh            all stages, in this order:"]
    lines += [f"#   {stage.name:<14} {stage.title}" for stage in plan.stages]
    lines += ["# ./rerun.sh kernels    only these stages"]
    if any(stage.repeats for stage in plan.stages):
        lines += ["# ./rerun.sh values:NAME,NAME    a stage that asks about kernels, with their names"]
    lines += ["#", *(f"# {line}" for line in OPTIONS)]
    lines += ["set -u", f"export {' '.join(f'{name}={value}' for name, value in ALWAYS.items())}", ""]
    lines += [f"STAGES=({' '.join(stage.name for stage in plan.stages)})"]
    lines += [f"PACKAGES=({' '.join(quoted(path) for path in plan.packages)})", ""]
    lines += _text(_FRAME).rstrip().splitlines()
    if any(step.config or step.replace for stage in plan.stages for step in stage.steps):
        lines += ["", "# Sets what has no variable, where torch is imported.",
                  *_file("hook/sitecustomize.py", _text(_HOOK))]  # fmt: skip
    for name, text in carried(plan).items():
        lines += ["", *_file(f"tools/{name}", text)]
    for stage in plan.stages:
        lines += ["", *_stage(stage)]
    lines += ["", 'main "$@"', ""]
    return "\n".join(lines)


def _file(name: str, text: str) -> list[str]:
    """Lines that write a file below `$OUT`."""
    return [f'mkdir -p "$OUT/{os.path.dirname(name)}"', f"cat >\"$OUT/{name}\" <<'END OF FILE'",
            *text.rstrip().splitlines(), "END OF FILE"]  # fmt: skip


def quoted(text: str) -> str:
    """A word of the script, with its placeholders as variables."""
    if is_ours(text):
        return f'"$OUT/tools/{os.path.basename(text)}"'
    if _PLAIN.fullmatch(text):
        return text
    safe = re.sub(r'([\\"$`])', r"\\\1", text)
    for hole, name in _HOLES.items():
        safe = safe.replace(hole, f"${{{name}}}")
    return f'"{safe}"'


def _stage(stage: Stage) -> Iterator[str]:
    yield f"stage_{stage.name.replace('-', '_')}() {{"
    yield from (f"  # {line}" for line in about(stage))
    yield f"  title {shlex.quote(stage.title)}"
    if stage.needs:
        yield f"  need {' '.join(stage.needs)} || return 0"
    if stage.repeats:
        yield "  find_kernel || return 0"
    for step in stage.steps:
        yield from _step(step, asked=stage.repeats)
    yield "}"


def _step(step: Step, *, asked: bool) -> Iterator[str]:
    """One command, with what is found for it, and skipped where that is missing."""
    texts = (*step.command, *step.environment.values())
    names = [_HOLES[hole] for hole in _FOUND if any(hole in text for text in texts)]
    checks = [f"find_{name}" for name in names if not (name == "kernel" and asked)]
    needs = [*step.needs, *(["aoti-lint"] if step.command[0] == "aoti-lint" else [])]
    checks += [f"has {' '.join(needs)}"] if needs else []
    start = {"tool": "tool", "build": "build", "run": "run", "whole": "run"}[step.phase]
    words = ["inside" if step.inside else start]
    settings = [_setting(name, value) for name, value in step.environment.items() if name not in ALWAYS]
    if step.config or step.replace:
        given = json.dumps({"config": step.config, "replace": step.replace})
        settings += ['PYTHONPATH="$OUT/hook${PYTHONPATH:+:$PYTHONPATH}"', f"AOTI_LINT_SETTINGS={shlex.quote(given)}"]
    if settings:
        words.append("env")
    command = " ".join(quoted(word) for word in step.command)
    body = " \\\n    ".join([" ".join(words), *settings, command]) if settings else f"{words[0]} {command}"
    yield f"  {''.join(f'{check} && ' for check in checks)}{body}"


def _setting(name: str, value: str) -> str:
    """A variable. What the caller preloads stays, and is no path with a blank."""
    text = quoted(value)
    if name != PRELOAD:
        return f"{name}={text}"
    ours = text.strip('"').replace("${folder}", "$plain/$name")
    return f'{name}="{ours}${{{name}:+:${name}}}"'


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
