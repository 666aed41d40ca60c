"""Which part of the compiler makes the difference: runs with one thing switched off, against those with all of it."""

from __future__ import annotations

from typing import Protocol

from aoti_lint.rerun.plan.plan import Step
from aoti_lint.rerun.plan.playbook.compiling import BACKENDS
from aoti_lint.rerun.read.evidence import Evidence
from aoti_lint.rerun.result import Culprit
from aoti_lint.triage.causes.compiling import OVERWRITTEN

SURE = 3
"""Runs with everything on that failed, from which on a run that does not is no luck."""
EAGER = "TORCH_COMPILE_DISABLE"
COMPARES = "TORCHDYNAMO_REPRO_LEVEL"
"""With it torch compares results on its own and raises: such a run fails for other reasons, too."""
GRAPHS = "triton.cudagraphs"
OF_THE_COMPILER = "torch._inductor.config."


_LEFT = {"eager": "Dynamo alone", "aot_eager": "Dynamo and AOTAutograd"}
_MEANT = {
    "emulate_precision_casts": "Compare with a wider tolerance, or set it: between operations that are fused, Inductor "
    "rounds less often than eager does, and means to.",
    "fallback_random": "Compare without random numbers, or set it: Inductor draws others than eager, and means to.",
    GRAPHS: OVERWRITTEN.fix,
}
"""What is no fault of the compiler."""


class Known(Protocol):
    """What the reader needs to know of the runs before."""

    failures: list[bool]
    notes: list[str]


def fails(seen: Evidence) -> bool:
    """Whether a run shows the failure: an exit code, NaN, or an output that is not the program's."""
    differs = any(event.differs for event in seen.events)
    return seen.failed or differs or bool(seen.bad_calls())


def switched(known: Known, seen: Evidence, build: Step | None) -> tuple[Culprit | None, list[str]]:
    """What a run with something switched off says, after runs with everything on that failed or not (`failures`).

    `build` is the step that compiled what was run, where that was another one.
    """
    steps = (seen.step, build) if build is not None else (seen.step,)
    off = {name.removeprefix(OF_THE_COMPILER): value for step in steps for name, value in step.config.items()}
    words = ", ".join(f"{name} = {value!r}" for name, value in off.items())
    failed = fails(seen)
    if EAGER in seen.step.environment:
        says = "without torch.compile it fails too: the fault is in the model" if failed else ""
        says = says or "without torch.compile it works: the compiler makes the difference"
        known.notes.append(says)
        return None, [says]
    backend = next((name for name, full in BACKENDS.items() if full in seen.step.replace.values()), None)
    if backend is not None:
        how = "it fails too" if failed else "it works"
        says = f"with the backend {backend} in the place of Inductor ({_LEFT[backend]}) {how}"
        known.notes.append(says)
        return None, [says]
    if not off:
        if COMPARES not in seen.step.environment:
            known.failures.append(failed)
        return None, []
    if failed:
        return None, [f"with {words} it fails too"]
    before = known.failures
    if not before or not all(before):
        return None, [f"with {words} it works, but it did not fail each time before either"]
    runs = f"all {len(before)} runs" if len(before) > 1 else "the run"
    culprit = Culprit(
        kind="setting", name=", ".join(off), sure=len(before) >= SURE,
        what=f"with {words} it works; it failed in {runs} before",
        fix=" ".join(_MEANT[name] for name in off if name in _MEANT)
        or f"Set it for this model (inductor_configs={{{', '.join(f'{n!r}: {v!r}' for n, v in off.items())}}}) until "
        "the compiler is mended, and report it to PyTorch with the minified program.",
        rules=OVERWRITTEN.rules if GRAPHS in off else (),
    )  # fmt: skip
    return culprit, [f"setting {culprit.name}: {culprit.what}"]
