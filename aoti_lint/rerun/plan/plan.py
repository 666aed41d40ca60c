"""What will be run, stage by stage: the plan that is written as a script or executed."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import Field

from aoti_lint.diagnostics import Symptom
from aoti_lint.quoting.frozen import SAME, Frozen

SCHEMA: Final = "aoti-lint/rerun-plan/1"

FOLDER: Final = "{folder}"
"""In the texts of a step: the folder of its stage, which is there and holds what its steps leave behind."""
KERNEL: Final = "{kernel}"
"""In the texts of a stage that repeats: the kernels that are asked about, separated by commas."""
GUARD: Final = "{guard}"
"""In the texts of a step: a guard as the log of a step before has it (`Eq(s77, 8)`). Without one it is left out."""
PACKAGE: Final = "{package}"
"""In a command: the package that the steps before made, or loaded."""
PROGRAM: Final = "{program}"
"""In a command: the exported program that `PACKAGE` was compiled from. Without one the step is left out."""
LAUNCHER: Final = "{launcher}"
"""In a command: the `minifier_launcher.py` that the steps before wrote. Without one the step is left out."""
PRELOAD: Final = "LD_PRELOAD"
"""The variable to which what the caller has in it is added."""
ROUNDS: Final = 5
"""How often a stage that repeats is run, at most."""


class Step(Frozen):
    """One process. `phase` is `build` where the package is compiled, `run` where it is called, `whole` for both.

    `tool` is a program that is none of the user's: it looks at what the steps before left behind.
    """

    phase: Literal["build", "run", "whole", "tool"]
    command: tuple[str, ...]
    environment: dict[str, str] = Field(default_factory=dict, description="Variables set beside those of the caller.")
    config: dict[str, Any] = Field(
        default_factory=dict,
        description="Settings without a variable, by full name, such as torch._inductor.config.pattern_matcher.",
    )
    replace: dict[str, str] = Field(
        default_factory=dict,
        description="Functions that others take the place of once their module is imported, by full name.",
    )
    beside: bool = Field(
        default=False, description="Run the exported program beside each call of its package, and compare them."
    )
    needs: tuple[str, ...] = Field(default=(), description="Programs without which this step is left out.")
    inside: bool = Field(default=False, description="Run in the folder of the stage, not in that of the caller.")


class Stage(Frozen):
    """One question: the processes that answer it, what it shows, and how to read what they print."""

    name: str
    title: str
    why: str
    reads: str
    steps: tuple[Step, ...]
    needs: tuple[str, ...] = Field(default=(), description="What must be there: `cuda`, or a program such as `gdb`.")
    repeats: bool = Field(default=False, description="Run again for each kernel that the run before names.")


class Plan(Frozen):
    """All of it. `runs` is how often programs of the user are started at most, with `ROUNDS` for what repeats."""

    format: Literal["aoti-lint/rerun-plan/1"] = SCHEMA
    schema_: Literal["aoti-lint/rerun-plan/1"] = Field(default=SCHEMA, alias="schema", description=SAME)
    target: tuple[str, ...]
    symptom: Symptom
    reasons: tuple[str, ...] = Field(default=(), description="Where the symptom and the stages come from.")
    torch: str | None = Field(default=None, description="The version of torch in the interpreter of the target.")
    device: Literal["cpu", "cuda"] | None = None
    stages: tuple[Stage, ...]
    runs: int
    packages: tuple[str, ...] = Field(default=(), description="Files that the programs write over, as far as known.")
    notes: tuple[str, ...] = ()
