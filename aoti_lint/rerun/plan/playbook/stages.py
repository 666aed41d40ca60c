"""Which stages belong to which symptom, in which order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from aoti_lint.diagnostics import Symptom
from aoti_lint.rerun.plan.case import Case
from aoti_lint.rerun.plan.plan import Stage
from aoti_lint.rerun.plan.playbook import compiling, package, tools

STAGES: Final[dict[str, Callable[[Case], Stage | None]]] = {
    "sanity": package.sanity,
    "deterministic": package.deterministic,
    "kernels": package.kernels,
    "values": package.values,
    "tensors": package.tensors,
    "fakes": package.fakes,
    "compare": package.compare,
    "nan-asserts": package.nan_asserts,
    "sanitizer": tools.sanitizer,
    "debugger": tools.debugger,
    "minifier": tools.minifier,
    "export": compiling.export,
    "guards": compiling.guards,
    "logs": compiling.logs,
    "compile-path": compiling.compile_path,
    "profile": tools.profile,
}
"""Every stage by its name."""

PLAYBOOK: Final[dict[Symptom, tuple[str, ...]]] = {
    "illegal-memory-access": ("sanity", "deterministic", "kernels", "values", "sanitizer", "fakes", "tensors",
                              "debugger", "compile-path", "minifier", "logs"),
    "segfault": ("sanity", "deterministic", "kernels", "fakes", "values", "tensors", "debugger", "compile-path",
                 "minifier", "logs"),
    "nan": ("sanity", "values", "tensors", "compare", "fakes", "compile-path", "minifier", "logs", "nan-asserts"),
    "wrong-result": ("sanity", "compare", "fakes", "values", "tensors", "compile-path", "minifier", "logs"),
    "device-mismatch": ("sanity", "kernels", "fakes", "logs"),
    "shape-mismatch": ("sanity", "export", "kernels", "fakes", "logs"),
    "export-error": ("export", "fakes", "logs"),
    "compile-error": ("logs", "minifier", "compile-path"),
    "load-error": ("logs", "debugger"),
    "recompile": ("logs", "guards", "export"),
    "cuda-graph-overwrite": ("logs", "compile-path"),
    "slow": ("logs", "profile"),
}  # fmt: skip
"""What answers fastest comes first; what stops where nothing is wrong comes last."""


def stages_of(case: Case) -> tuple[Stage, ...]:
    """The stages for a case, those that make sense for it and can be run."""
    made = [STAGES[name](case) for name in PLAYBOOK[case.chosen.symptom]]
    return tuple(stage for stage in made if stage is not None)
