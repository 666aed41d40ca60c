"""Why something differs, as far as the program tells."""

from __future__ import annotations

import math
from collections.abc import Sequence

from aoti_lint.program import facts
from aoti_lint.program.exported.modes import aten
from aoti_lint.program.verify.cases import Case
from aoti_lint.program.verify.judge import Finding
from aoti_lint.program.verify.space import Space

_RANDOM = {"rand", "randn", "rand_like", "randn_like", "randint", "randint_like", "bernoulli", "bernoulli_",
           "multinomial", "normal", "normal_", "normal_functional", "uniform", "uniform_", "randperm", "exponential",
           "exponential_", "poisson", "rrelu", "rrelu_with_noise"}  # fmt: skip


def draws(program: facts.Program) -> list[facts.OpUse]:
    """Calls that are random because the model asked for it."""
    return [call for call in program.calls if aten(call) in _RANDOM]


def places(calls: Sequence[facts.OpUse]) -> str:
    """Where the first few stand: "fc.drop (model.py:12)"."""
    words = []
    for call in calls[:3]:
        name = call.module or call.name
        place = call.place if call.place is not None and "/torch/" not in call.place.file.replace("\\", "/") else None
        words.append(f"{name} ({place.file}:{place.line})" if place is not None else name)
    more = f" and {len(calls) - 3} more" if len(calls) > 3 else ""
    return ", ".join(dict.fromkeys(words)) + more


def why(space: Space, case: Case, finding: Finding, program: facts.Program | None) -> str:
    """A sentence on the cause and the way out; empty where nothing is known."""
    if finding.verdict == "random":
        return "call .eval() on the model before torch.export.export; a program cannot be switched afterwards"
    if case.kind == "scalar" and case.change is not None and finding.subject == "package":
        path = space.inputs[case.change.input].path
        return (
            f"{path} is a Python value, fixed at export. A package drops Python values, and AOTI_RUNTIME_CHECK_INPUTS "
            "does not see them. Make it a tensor, or compile one package for each value; --skip scalar leaves these "
            "cases out"
        )
    if program is None:
        return ""
    if finding.call > 0 and finding.verdict == "values differ":
        names = [weight.name for weight in program.weights if weight.mutated and _elements(weight) == 1]
        if names:
            return (
                f"the buffer {', '.join(names)} has one element: AOTInductor compiles its value in as a constant, and "
                "what the model writes to it is lost. Give it more elements (8 are enough), or pass it in and out"
            )
        return "calls before it matter: a buffer is not updated as in the reference"
    if finding.verdict in ("shape differs", "dtype differs", "crash", "values differ", "structure differs") and \
            program.custom_ops:  # fmt: skip
        return (
            f"the program calls {', '.join(program.custom_ops)}: a fake function that promises another size or dtype "
            "than the operator returns does this, and torch.library.opcheck on one size may not show it"
        )
    if finding.verdict == "dtype differs":
        return "was it compiled under torch.autocast? That is baked into a package"
    return ""


def _elements(weight: facts.Weight) -> int | None:
    if weight.tensor is None or not all(isinstance(size, int) for size in weight.tensor.shape):
        return None
    return math.prod(int(size) for size in weight.tensor.shape)
