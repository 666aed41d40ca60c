"""Which stages of a rerun use a name of torch's: a variable, a setting, a name for TORCH_LOGS, a tool."""

from __future__ import annotations

from functools import cache

from aoti_lint.diagnostics import Symptom
from aoti_lint.rerun.plan.examples import example
from aoti_lint.rerun.plan.plan import Step
from aoti_lint.rerun.plan.playbook.stages import stages_of
from aoti_lint.rerun.plan.symptoms import SYMPTOMS

_TEXTS = "reduce-overhead max-autotune freezing bfloat16 dropout"
"""Words for which a stage has runs of their own."""


def uses(name: str) -> dict[str, tuple[Symptom, ...]]:
    """The stages that use it on torch 2.13, each with its symptoms; none if no rerun does."""
    found: dict[str, dict[Symptom, None]] = {}
    for stage, symptom, names in _all():
        if name in names:
            found.setdefault(stage, {})[symptom] = None
    return {stage: tuple(symptoms) for stage, symptoms in found.items()}


@cache
def _all() -> tuple[tuple[str, Symptom, frozenset[str]], ...]:
    return tuple(
        (stage.name, symptom, frozenset(name for step in stage.steps for name in _names(step)))
        for symptom in SYMPTOMS
        for device in ("cpu", "cuda")
        for kind in ("package", "compile")
        for stage in stages_of(example(symptom, kind, device, _TEXTS))
    )


def _names(step: Step) -> list[str]:
    logs = [word.lstrip("+-") for word in step.environment.get("TORCH_LOGS", "").split(",")]
    functions = [name for pair in step.replace.items() for name in pair]
    return [*step.environment, *step.config, *functions, *logs, *step.command]
