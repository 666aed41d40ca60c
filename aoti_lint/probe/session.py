"""A whole run of `probe`, as the parent process sees it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aoti_lint.errors import CannotRun
from aoti_lint.isolated.process import Died, Process
from aoti_lint.probe.report import Probed, Report

MOST_LOST = 8
"""Targets that end the process which imports them, before the run is given up."""


SEARCH = 10.0
"""Seconds for finding inputs of one operator: most take one of the first few, and some nothing that can be guessed."""


@dataclass(frozen=True)
class Options:
    """What is asked for. `targets` and `imports` are modules, Python files and libraries, `programs` archives with the
    name of a model; `ops` are patterns of names."""

    targets: tuple[str, ...] = ()
    programs: tuple[tuple[str, str], ...] = ()
    imports: tuple[str, ...] = ()
    ops: tuple[str, ...] = ()
    inputs: str | None = None
    examples: str | None = None
    kernels: bool = True
    python: str = sys.executable
    timeout: float = 120.0
    tell: Callable[[str], None] = field(default=lambda text: None)

    def opens(self, without: Mapping[str, str]) -> dict[str, Any]:
        """The request to the child, without targets that it died of."""
        return {
            "targets": [target for target in self.targets if target not in without],
            "imports": [target for target in self.imports if target not in without],
            "programs": self.programs, "ops": self.ops, "inputs": self.inputs, "examples": self.examples,
        }  # fmt: skip


def probe(options: Options) -> Report:
    """Probe everything. Raises `CannotRun` when nothing can be loaded, or no operator is found."""
    died: dict[str, str] = {}
    while True:
        with Process("aoti_lint.probe.child", options.opens(died), options.python, options.timeout) as process:
            opened = process.try_open()
            if not isinstance(opened, Died):
                return _report(options, process, opened, died)
        target = opened.stage.removeprefix("importing ")
        known = {*options.targets, *options.imports}
        if target not in known or target in died or len(died) == MOST_LOST:
            raise CannotRun(f"the child process ended while {opened.stage or 'starting'}: {opened.text}")
        died[target] = f"{opened.how}: {opened.text}"


def _report(options: Options, process: Process, opened: Mapping[str, Any], died: Mapping[str, str]) -> Report:
    errors = {**opened["errors"], **died}
    names: list[str] = opened["ops"]
    if not names:
        why = "".join(f"; {target}: {text}" for target, text in errors.items())
        what = f"no operator matches {', '.join(options.ops)}" if options.ops else "no custom operator was registered"
        raise CannotRun(f"{', '.join([*options.targets, *(path for path, _ in options.programs)])}: {what}{why}")
    found = []
    for number, name in enumerate(names):
        options.tell(f"{number + 1} of {len(names)}: {name}")
        found.append(_one(options, process, name))
    programs = tuple(path for path, _ in options.programs)
    return Report(torch=opened["torch"], targets=(*options.targets, *programs), ops=tuple(found), errors=errors)


def _one(options: Options, process: Process, name: str) -> Probed:
    seconds = min(SEARCH, options.timeout / 4)
    answer = process.run(op=name, kernels=options.kernels, seconds=seconds)
    if isinstance(answer, Died) and answer.how == "crash" and process.ran > 1:
        # Memory that an operator before this one damaged may show only now: ask again in a process of its own.
        answer = process.run(op=name, kernels=options.kernels, seconds=seconds)
    if not isinstance(answer, Died):
        return Probed.model_validate(answer)
    status = "crashed" if answer.how == "crash" else "hung"
    text = f"while {answer.stage}: {answer.text}" if answer.stage else answer.text
    if options.kernels and "kernel" in answer.stage:
        alone = process.run(op=name, kernels=False, seconds=seconds)
        if not isinstance(alone, Died):
            without = Probed.model_validate(alone)
            if without.given:
                return without.model_copy(update={"status": status, "error": text})
            # Inputs that nobody gave may be such that the kernel has every right to crash.
            return without.model_copy(update={"kernel": f"it {status} with inputs made up, {text}"})
    return Probed(name=name, status="crashed" if answer.how == "crash" else "hung", error=text)
