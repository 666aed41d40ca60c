"""Makes a plan: looks at the scripts, decides on version, device and symptom, and puts the stages together."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from aoti_lint.config import find
from aoti_lint.diagnostics import Symptom
from aoti_lint.engine.check import check
from aoti_lint.engine.run import Run
from aoti_lint.errors import CannotRun
from aoti_lint.files.near import beside
from aoti_lint.options import Options
from aoti_lint.rerun.named_files import text_of
from aoti_lint.rerun.plan.case import Case
from aoti_lint.rerun.plan.phases import Work, work_of
from aoti_lint.rerun.plan.plan import ROUNDS, Plan, Stage
from aoti_lint.rerun.plan.playbook.package import MALLOC_CHECKS
from aoti_lint.rerun.plan.playbook.stages import stages_of
from aoti_lint.rerun.plan.symptoms import Chosen, fitting, of_diagnostics, of_log, usual
from aoti_lint.rerun.plan.target import Target, of_command
from aoti_lint.torch_api.environment import installed_torch
from aoti_lint.torch_api.target import find_target
from aoti_lint.torch_api.versions import VersionSet, release

Device = Literal["cpu", "cuda"]
_LIBRARIES = ("/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib64", "/lib64", "/usr/lib")
_GPUS = ("/dev/nvidiactl", "/dev/dxg", "/dev/kfd")
"""What is there where a driver for GPUs is (Linux, WSL, ROCm)."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user asks for, beside the target."""

    symptom: Symptom | None = None
    log: str | None = None
    build: str | None = None
    torch_version: str | None = None
    device: Device | None = None


class Planner:
    """What is known of a target before anything is run, for its plans. Runs nothing of it. Raises `CannotRun`
    for what cannot be read, or does not exist.

    `scripts` are the files that are run; `why` says of a command that nobody named why it is run.
    """

    def __init__(self, target: Target, wanted: Wanted) -> None:
        installed = _installed(target)
        asked = wanted.torch_version or (_minor(installed) if installed else None)
        self._target, self._torch = target, wanted.torch_version or installed
        self._notes: list[str] = []
        self.why: dict[tuple[str, ...], str] = {}
        given = _given_build(target, wanted.build)
        builders = of_command(list(given)).scripts if given else ()
        scripts = self._scripts = _Scripts(target, builders, asked)
        self._build = given or _found_build(target, scripts, self._notes)
        if self._build is not None and self._build != given:
            self.why[self._build] = "it makes what is loaded (--build names another command)"
            builders = of_command(list(self._build)).scripts
        self.scripts = tuple(dict.fromkeys((*target.scripts, *builders)))
        self._device, self._how = _device(wanted.device, installed, scripts.work, target)
        self._chosen = fitting(_chosen(wanted, scripts, self._device, self._notes), self._device)
        self._versions = scripts.versions or find_target(os.getcwd(), torch_version=asked).versions

    def plan(self, *, compiles: bool = False) -> Plan:
        """The plan; for a program that compiles what it loads, whatever its code says, if it `compiles`."""
        scripts, chosen, build = self._scripts, self._chosen, self._build
        files = scripts.work.files
        case = Case(
            target=self._target, chosen=chosen, versions=self._versions, device=self._device, build=build,
            work=replace(scripts.work, exports=True, packs=True) if compiles else scripts.work,
            texts=scripts.texts, false_alarm=scripts.has_false_alarm,
            linux=sys.platform == "linux",
            unbuilt=build is not None and bool(files) and not any(map(os.path.exists, files)),
            preload=any(os.path.exists(f"{folder}/{MALLOC_CHECKS}") for folder in _LIBRARIES),
        )  # fmt: skip
        stages = stages_of(case)
        notes = list(self._notes)
        _tell_about(case, notes)
        return Plan(
            target=self._target.command,
            symptom=chosen.symptom,
            reasons=(*chosen.reasons, self._how),
            torch=self._torch,
            device=self._device,
            stages=stages,
            runs=_runs(stages),
            packages=files,
            notes=(*notes, *case.notes),
        )


class _Scripts:
    """What the linter knows of the files that a target runs, and of those that compile what it loads."""

    def __init__(self, target: Target, builders: tuple[str, ...], torch_version: str | None) -> None:
        self.paths, self._torch = tuple(dict.fromkeys((*target.scripts, *builders))), torch_version
        self.work, self.texts = Work(), ""
        self.versions = VersionSet()
        self._run: Run | None = None
        if self.paths:
            run = self._run = Run(self._options(), alone=True)
            chosen = run.target()
            self.versions = chosen.versions
            inside = {run.name(path): path for path in run.found.files}

            def within(paths: tuple[str, ...]) -> list[str]:
                names = [os.path.relpath(path).replace(os.sep, "/") for path in paths]
                return [inside[name] for name in names if name in inside]

            work = work_of(run.facts(chosen), within(target.scripts), within(builders))
            self.work = replace(work, ops=tuple(map(run.name, work.ops)))
            self.texts = "\n".join(map(text_of, self.paths))

    def _options(self, *others: str, **more: Any) -> Options:
        return Options([*self.paths, *others], find(os.getcwd()), torch_version=self._torch, baseline="", **more)

    def name(self, path: str) -> str:
        """A file of the project as the user can write it."""
        return self._run.name(path) if self._run is not None else path

    def diagnostics(self, *others: str, **more: Any) -> list[dict[str, Any]]:
        """What the rules find in them, and in other files."""
        if not self.paths:
            return []
        found: list[dict[str, Any]] = check(self._options(*others, **more)).document["diagnostics"]
        return found

    @cached_property
    def has_false_alarm(self) -> bool:
        """Whether the input check would refuse a size that a `Dim` allows."""
        if not self.work.runs:
            return False
        makers = tuple(map(self.name, self.work.makers))
        if not any("Dim" in text_of(path) for path in (*self.paths, *makers)):
            return False
        environment = {"AOTI_RUNTIME_CHECK_INPUTS": "1"}
        return bool(self.diagnostics(*makers, select=["AOTI508"], pedantic=True, environment=environment))


def _installed(target: Target) -> str | None:
    """The torch of the environment that the target runs in."""
    if target.python is None:
        return None
    found = target.python if os.path.exists(target.python) else shutil.which(target.python)
    return installed_torch(found) if found else None


def _minor(version: str) -> str:
    return ".".join(map(str, release(version)[:2]))


def _given_build(target: Target, given: str | None) -> tuple[str, ...] | None:
    """The command of --build, which may begin with a script."""
    if not given:
        return None
    words = (given,) if os.path.isfile(given) else tuple(shlex.split(given))
    if not words:
        return None
    if not words[0].endswith(".py"):
        return of_command(list(words)).command
    if not os.path.isfile(words[0]):
        raise CannotRun(f"--build: there is no such file {words[0]}{beside(words[0])}")
    return (target.interpreter, *words)


def _found_build(target: Target, scripts: _Scripts, notes: list[str]) -> tuple[str, ...] | None:
    """The command that compiles what the target loads, as far as the code says."""
    makers = [scripts.name(path) for path in scripts.work.makers]
    if len(makers) == 1:
        notes.append(f"{makers[0]} compiles what is loaded, as far as the code says; --build names another command")
        return (target.interpreter, makers[0])
    if makers:
        notes.append(f"{', '.join(makers)} may compile what is loaded: name the one that does with --build")
    return None


def _device(given: Device | None, installed: str | None, work: Work, target: Target) -> tuple[Device, str]:
    """The device it runs on, and how that is known."""
    if given is not None:
        return given, f"runs on {given} (--device)"
    named = work.devices or {kind for path in target.archives if (kind := _device_of(path)) is not None}
    choices = named - {"meta"}  # nothing runs there
    if choices == {"cuda"}:
        return "cuda", "the models are for cuda"
    if installed is not None and installed.endswith("+cpu"):
        return "cpu", f"torch {installed} has no CUDA"
    if choices == {"cpu"}:
        return "cpu", "the models are for the CPU"
    gpu = any(map(os.path.exists, _GPUS))
    if "cuda" in choices and gpu:
        return "cuda", "cuda is possible, and this machine has it"
    if "cuda" in choices and "cpu" not in choices:
        return "cuda", f"the models are for {' or '.join(sorted(choices))}"
    if gpu:
        return "cuda", "no device is known from the code, and this machine has a GPU; --device says otherwise"
    return "cpu", "no device is known from the code, and this machine has no GPU; --device says otherwise"


def _device_of(path: str) -> str | None:
    """The type of device that a package is for."""
    from aoti_lint.program.errors import Unreadable
    from aoti_lint.program.read import read

    try:
        packages = read(path).packages
    except (Unreadable, OSError):
        return None
    return packages[0].device_type if packages else None


def _chosen(wanted: Wanted, scripts: _Scripts, device: Device, notes: list[str]) -> Chosen:
    """The symptom: what was said counts most, then the log, then what the rules find."""
    logged = None
    if wanted.log is not None:
        from aoti_lint.triage.log import lines_of

        found = of_log(wanted.log, lines_of(wanted.log))
        if isinstance(found, str):
            notes.append(found)
        else:
            logged = found
    if wanted.symptom is not None:
        said = f"--symptom {wanted.symptom}"
        if logged is None:
            return Chosen(wanted.symptom, (said,))
        return Chosen(wanted.symptom, (said, *logged.reasons), logged.logs, logged.guards, logged.symbols)
    return logged or of_diagnostics(scripts.diagnostics(), device) or usual(scripts.work, device)


def _tell_about(case: Case, notes: list[str]) -> None:
    work = case.work
    if work.blind:
        notes.append("it writes a package whose path the code does not tell")
    if case.target.kind != "binary" and not work.known:
        notes.append("nothing is known of what it compiles and loads: every flag is set for the whole of it")


def _runs(stages: Sequence[Stage]) -> int:
    """How often programs of the user are started at most; `probe` imports their modules."""
    return sum(
        sum(step.phase != "tool" or step.command[:2] == ("aoti-lint", "probe") for step in stage.steps)
        * (ROUNDS if stage.repeats else 1)
        for stage in stages
    )
