"""What will be run, stage by stage: the plan that is written as a script or executed."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA: Final = "aoti-lint/rerun-plan/1"

Symptom = Literal[
    "illegal-memory-access", "segfault", "nan", "wrong-result", "device-mismatch", "shape-mismatch", "export-error",
    "compile-error", "load-error", "recompile", "cuda-graph-overwrite", "slow",
]  # fmt: skip
"""How a run fails, as the user sees it."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Step(_Model):
    """One process. `phase` is `build` where the package is compiled, `run` where it is called, `whole` for both."""

    phase: Literal["build", "run", "whole"]
    command: tuple[str, ...]
    environment: dict[str, str] = Field(default_factory=dict, description="Variables set beside those of the caller.")
    config: dict[str, Any] = Field(
        default_factory=dict,
        description="Settings without a variable, by full name, such as torch._inductor.config.pattern_matcher.",
    )


class Stage(_Model):
    """One question: the processes that answer it, what it shows, and how to read what they print."""

    name: str
    title: str
    why: str
    reads: str
    steps: tuple[Step, ...]
    needs: tuple[str, ...] = Field(default=(), description="What must be there: `cuda`, or a program such as `gdb`.")
    repeats: bool = Field(default=False, description="Run again for each kernel that the run before names.")


class Plan(_Model):
    """All of it. `runs` is how often programs of the user are started at most."""

    schema_: Literal["aoti-lint/rerun-plan/1"] = Field(default=SCHEMA, alias="schema")
    target: tuple[str, ...]
    symptom: Symptom
    reasons: tuple[str, ...] = Field(default=(), description="Where the symptom and the stages come from.")
    torch: str | None = Field(default=None, description="The version of torch in the interpreter of the target.")
    device: Literal["cpu", "cuda"] | None = None
    stages: tuple[Stage, ...]
    runs: int
    notes: tuple[str, ...] = ()
