"""What a plan is made for, and the one place where its stages are put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from aoti_lint.rerun.plan.phases import EVERYWHERE, Work, of_phase, there
from aoti_lint.rerun.plan.plan import Stage, Step
from aoti_lint.rerun.plan.symptoms import Chosen
from aoti_lint.rerun.plan.target import Target
from aoti_lint.torch_api import settings
from aoti_lint.torch_api.versions import VersionSet

INDUCTOR = "torch._inductor.config"
ALWAYS = {"PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": "1"}
"""For every process: without the first the last lines of a crashed process are lost in a pipe, the second shows where
Python was (run on torch 2.13)."""


@dataclass(slots=True)
class Case:
    """The target, what its scripts do, and how it fails. `build` is the command that compiles what the target loads.

    `device` is None where nobody knows it. `left_out` says which stages cannot be run, and why.
    """

    target: Target
    work: Work
    chosen: Chosen
    versions: VersionSet
    device: Literal["cpu", "cuda"] | None
    build: tuple[str, ...] | None = None
    texts: str = ""
    """What the scripts of the target say, all in one."""
    false_alarm: bool = False
    """Whether the input check would refuse a size that a `Dim` allows (AOTI508)."""
    preload: bool = True
    """Whether the library is there that does the work of MALLOC_CHECK_ from glibc 2.34 on."""
    linux: bool = True
    unbuilt: bool = False
    """Whether what `build` makes is not there yet, so that every run needs it."""
    left_out: dict[str, list[str]] = field(default_factory=dict)

    @property
    def phase(self) -> Literal["build", "run", "whole"]:
        """What the target itself does."""
        work = self.work
        elsewhere = self.build is not None and not (work.packs or work.traces)
        if elsewhere or self.target.kind == "binary" or (work.runs and not work.compiles):
            return "run"
        return "build" if work.packs and not work.runs and self.build is None else "whole"

    @property
    def runs_package(self) -> bool:
        """Whether a package is run, as far as is known."""
        return self.phase == "run" or self.work.runs or not self.work.known

    @property
    def builds_package(self) -> bool:
        """Whether a package can be compiled again."""
        return self.build is not None or (self.phase != "run" and (self.work.packs or not self.work.known))

    @property
    def rebuilds(self) -> bool:
        """Whether a step that compiles puts another package in the place of one that is there."""
        return self.build is not None and not self.unbuilt

    @property
    def traces(self) -> bool:
        """Whether `torch.compile` is used, as far as is known."""
        return self.work.traces or (self.phase == "whole" and not self.work.known)

    @property
    def on_gpu(self) -> bool:
        """Whether it runs on a GPU for all that is known."""
        return self.device != "cpu"

    def has(self, name: str) -> bool:
        """Whether the torch in question reads an environment variable."""
        return there(name, self.versions)

    def mentions(self, *words: str) -> bool:
        """Whether one of the words stands in the scripts; so it may be where these are not known."""
        return not self.texts or any(word in self.texts for word in words)

    def logs(self, *wanted: str) -> str:
        """A value for TORCH_LOGS: those of the names that every version in question takes, as torch refuses others."""
        valid = [word for word in dict.fromkeys((*wanted, *self.chosen.logs)) if self._is_log(word.lstrip("+-"))]
        plain = {word for word in valid if not word.startswith("+")}
        return ",".join(word for word in valid if not (word in plain and f"+{word}" in valid))

    def _is_log(self, name: str) -> bool:
        return all(name in settings.log_names(version) for version in self.versions)

    def config(self, **wanted: Any) -> dict[str, Any]:
        """Settings of Inductor (`triton__cudagraphs` for `triton.cudagraphs`) that every version in question has."""
        named = {key.replace("__", "."): value for key, value in wanted.items()}
        return {
            f"{INDUCTOR}.{key}": value
            for key, value in named.items()
            if self.versions <= settings.key_versions(INDUCTOR, key)
        }

    def steps(
        self,
        variables: Mapping[str, str],
        *,
        config: Mapping[str, Any] | None = None,
        replace: Mapping[str, str] | None = None,
        before: tuple[str, ...] = (),
        core: str | None = None,
        command: tuple[str, ...] | None = None,
        only_build: bool = False,
    ) -> tuple[Step, ...]:
        """The processes in which these flags are seen, each with those that it reads.

        `config` and `replace` go where something is compiled. `before` are words before the program that runs,
        `command` is one in the place of the target's. `core` is the flag that it is about: without a process that reads
        it there are no steps. Nothing is compiled again where no flag asks for it, and nothing is run after an
        `only_build`.
        """
        wanted = {name: value for name, value in variables.items() if self.has(name)}
        phase = self.phase
        made: list[Step] = []
        if self.build is not None:
            first = of_phase(wanted, "build")
            if config or replace or set(first) - EVERYWHERE or self.unbuilt:
                made.append(_step("build", self.build, first, config, replace))
        compiles = phase != "run"
        own = of_phase(wanted, phase)
        changed = command is not None or before or made or (compiles and (config or replace))
        if (own or changed) and not (only_build and made):
            inside = (config, replace) if compiles else (None, None)
            made.append(_step(phase, command or self.target.after(*before), own, *inside))
        if core is not None and not any(core in step.environment for step in made):
            return ()
        if core is None and (config or replace) and not any(step.config or step.replace for step in made):
            return ()
        return tuple(made)

    def stage(
        self,
        name: str,
        title: str,
        why: str,
        reads: str,
        steps: tuple[Step, ...],
        *,
        needs: tuple[str, ...] = (),
        repeats: bool = False,
    ) -> Stage | None:
        """A stage, None where nothing is left to run."""
        if not steps:
            return None
        return Stage(name=name, title=title, why=why, reads=reads, steps=steps, needs=needs, repeats=repeats)

    def leave_out(self, name: str, why: str) -> None:
        """Remember that a stage cannot be run."""
        self.left_out.setdefault(why, []).append(name)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out, for people."""
        return tuple(f"{', '.join(dict.fromkeys(names))}: left out, {why}" for why, names in self.left_out.items())


def tool(*command: str, needs: tuple[str, ...] = (), inside: bool = False) -> Step:
    """A program that is none of the user's."""
    return Step(phase="tool", command=command, needs=needs, inside=inside)


def _step(
    phase: Literal["build", "run", "whole"],
    command: tuple[str, ...],
    variables: Mapping[str, str],
    config: Mapping[str, Any] | None,
    replace: Mapping[str, str] | None,
) -> Step:
    environment = {**ALWAYS, **variables}
    return Step(
        phase=phase, command=command, environment=environment, config=dict(config or {}), replace=dict(replace or {})
    )
