"""AOTI501."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

from aoti_lint.rule import (
    METER,
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Related,
    Rule,
    Severity,
    Span,
    VersionSet,
    judge,
    weaker,
)
from aoti_lint.rule.events import CHECKS, ApiCall, CallEvent, ConfigWrite, EnvWrite
from aoti_lint.rule.torch import settings
from aoti_lint.rule.values import Const, Loaded, Sym, Value

from ..package._imports import reach
from ._aids import AIDS
from ._late import Late, changes_nothing, late, text_of
from ._names import is_read_beside
from ._runs import Run, by_place, runs, script_of

CHECK = "AOTI_RUNTIME_CHECK_INPUTS"
_OF_THE_COMPILE = frozenset(aid.variable for aid in AIDS)
_OTHERS = r"\b(subprocess|multiprocessing|multiprocess|execv\w*|spawn\w*|Popen|ray|torchrun|mpi4py|joblib|launch\w*)\b"
"""Words of files that start other processes, which read the variables anew."""
_LOGGING = ("TORCH_LOGS", "TORCH_LOGS_FORMAT", "TORCH_LOGS_OUT", "TORCH_TRACE", "TORCH_DTRACE")


class FlagTooLate(Rule):
    """A variable is set after torch has read it, and nothing reads it again.

    What happens:
        Nothing: no message, no effect. Most variables of torch are read once, when the module that needs them is
        imported. `torch._inductor.config` is not imported by `import torch` (in 2.5 it is), but by the first export,
        compile or optimizer, by naming `torch._inductor`, and by other packages: `import torchvision` does. The
        variables of logging are read by `import torch` itself. `AOTI_RUNTIME_CHECK_INPUTS` is read by each compiled
        model at its first call.

    Why:
        A module of settings is a list of assignments: `nan_asserts = os.environ.get(…) == "1"`.

    Bad:
        import os

        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        os.environ["AOT_INDUCTOR_DEBUG_COMPILE"] = "1"  # <- AOTI501
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    Bad:
        import os

        import torch

        os.environ["TORCH_LOGS"] = "output_code"  # <- AOTI501
        torch.compile(torch.nn.ReLU())(torch.ones(4))

    Bad:
        import os

        import torch

        run = torch._inductor.aoti_load_package("net.pt2")
        run(torch.ones(4))
        os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"  # <- AOTI501
        run(torch.ones(4))

    Good:
        import os

        os.environ["AOT_INDUCTOR_DEBUG_COMPILE"] = "1"
        os.environ["TORCH_LOGS"] = "output_code"
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    Good:
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.config.aot_inductor.debug_compile = True
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    How to debug:
        Print the setting where it is needed, such as `torch._inductor.config.nan_asserts`: it is what counts. Setting
        it there works at any time before the compile.

    Sources:
        Measured in every release named in `aoti_lint/torch_api/moments.json`, each action in a process of its own; the
        input check run on torch 2.13.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor_debugging_guide.html
    """

    code = "AOTI501"
    name = "flag-too-late"
    severity = Severity.WARNING
    outcome = Outcome.NO_EFFECT
    doubt = "something that was not followed may have set or read it before"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        by_script = runs(facts) if any(True for _ in facts.of(EnvWrite)) else {}
        written = [event for event in facts.of(EnvWrite) if event.target == "process"]
        for events in by_place(written).values():
            found = [(one, event) for event in events if (one := _late(facts, by_script[script_of(event)], event))]
            if found:
                yield self._report(facts, *max(found, key=lambda pair: -_ORDER.index(pair[0].confidence)))
        for run in by_script.values():
            yield from self._after_first_call(facts, run)

    def _report(self, facts: Facts, found: Late, event: EnvWrite) -> Diagnostic:
        instead = _instead(event, found.versions.last)
        before = f"move it above the line that {_reads(found)}" if found.begun.span != event.span else "set it earlier"
        return self.found(
            facts,
            event,
            found.confidence,
            f"{event.name} is set after torch has read it: it has no effect",
            failing=found.versions,
            label="too late",
            related=(Related(found.begun.span, _reader(found)),),
            help=f"{before}{f', or {instead}' if instead else ''}",
        )

    def _after_first_call(self, facts: Facts, run: Run) -> Iterator[Diagnostic]:
        """The input check, turned on for a model that has been called and is called again."""
        said: set[Span] = set()
        for event in run.of(EnvWrite):
            if event.name != CHECK or event.target != "process" or event.span in said or not event.versions & CHECKS:
                continue
            calls = run.index.grouped(CallEvent, _models_called).get(event.root, ())
            later: dict[Value, CallEvent] = {}
            for call in reversed(calls):
                if call.order > event.order:
                    later[call.target] = call
            for first in calls:
                again = later.get(first.target)
                if first.order > event.order or again is None or first.checked is None:
                    continue
                METER.spend()
                verdict = judge([event.value, first.checked], {**event.path, **first.path}, _off_to_on)
                if verdict is None:
                    continue
                said.add(event.span)
                yield self.found(
                    facts,
                    event,
                    Confidence.POSSIBLE if run.starts_after(event.order) else verdict[0],
                    f"{CHECK} is set after the first call of the model, which has read it: it is not checked",
                    failing=event.versions & CHECKS,
                    label="too late for what was called before",
                    related=(Related(first.span, "the first call reads it"), Related(again.span, "not checked")),
                    outcome=Outcome.UNCHECKED,
                    help="set it before the first call of the model",
                )
                break


def _models_called(event: CallEvent) -> list[str]:
    """The root of a call, where a compiled model is called."""
    return [event.root] if isinstance(event.target, Loaded) else []


_ORDER = [Confidence.CERTAIN, Confidence.LIKELY, Confidence.POSSIBLE]


def _late(facts: Facts, run: Run, event: EnvWrite) -> Late | None:
    """That the variable is set for nothing, unless it is for others, or said in another way too."""
    found = late(event)
    if event.name in _OF_THE_COMPILE and run.only_runs():
        return None  # AOTI502
    if found is None or _is_repeated(facts, event) or _is_set_too(run, event, found) or _is_read_again(run, event):
        return None
    told = {version: lost for version in found.versions if (lost := _lost(event, version)) is not None}
    if not told:
        return None
    others = (
        run.starts_after(event.order)
        or reach(facts, run.script).mentions(_OTHERS)
        or is_read_beside(facts, event.name, event.span.path)
    )
    sure = [found.confidence, *(sure for sure, _ in told.values())]
    least = Confidence.POSSIBLE if others else reduce(weaker, sure)
    return replace(found, confidence=least, versions=VersionSet(told))


def _lost(event: EnvWrite, version: str) -> tuple[Confidence, str] | None:
    """How sure it is that something is lost, and the text that is; None where it is known of no text.

    Nothing is where the variable is deleted, or gets what it held, or what counts anyway.
    """
    if isinstance(event.value, Sym) and event.value.key.split(" ")[0] == f"env:{event.name}":
        return None

    def text(value: Value) -> str | None:
        # A number can only have come there as the text of what the user chooses.
        is_number = isinstance(event.value, Sym) and isinstance(value, Const) and isinstance(value.value, bool | int)
        return str(value.value) if isinstance(value, Const) and is_number else text_of(value)

    def is_lost(values: list[Value]) -> bool | None:
        known = text(values[0])
        return None if known is None else not changes_nothing(event.name, known, version)

    verdict = judge([event.value], event.path, is_lost)
    return None if verdict is None else (verdict[0], text(verdict[1][0]) or "")


def _is_repeated(facts: Facts, event: EnvWrite) -> bool:
    """Whether the variable had this value before."""
    files = reach(facts, script_of(event)).files
    return any(
        other.order < event.order and other.span != event.span and other.span.path in files
        for other in facts.grouped(EnvWrite, _assigned)[event.name, event.value]
    )


def _assigned(event: EnvWrite) -> list[tuple[str, Value]]:
    return [(event.name, event.value)]


def _is_set_too(run: Run, event: EnvWrite, found: Late) -> bool:
    """Whether the script sets the setting itself as well."""
    keys = {(one.module, one.key) for one in settings.readings(event.name, found.versions.last) if one.key is not None}
    return any((one.module, one.key) in keys for one in run.of(ConfigWrite))


def _is_read_again(run: Run, event: EnvWrite) -> bool:
    """Whether `set_logs` may read a variable of logging again. Where TORCH_LOGS is set it does nothing itself."""
    if event.name not in _LOGGING:
        return False
    return any(call.name == "torch._logging.set_logs" and call.order > event.order for call in run.of(ApiCall))


def _reader(found: Late) -> str:
    """Who read the variable, for its place."""
    if found.begun.action == f"import {found.module}":
        return f"`{found.begun.action}` reads it"
    return f"`{found.begun.action}` imports {found.module}, which reads it"


def _reads(found: Late) -> str:
    action = found.begun.action
    return f"has `{action}`" if action.startswith("import ") else f"names or calls `{action}`"


def _instead(event: EnvWrite, version: str) -> str:
    """What to write where it stands, if anything works there."""
    if event.name == "TORCH_LOGS":
        return "remove this, and call `torch._logging.set_logs(…)`, which does nothing where the variable is set"
    _, text = _lost(event, version) or (None, "")
    for reading in settings.readings(event.name, version):
        known = settings.setting(reading.module, reading.key, version) if reading.key is not None else None
        if known is not None:
            value = _value(text, known.type, settings.means(event.name, text, version))
            return f"write `{reading.module}.{reading.key} = {value}`"
    return ""


def _value(text: str, kind: str, meaning: str) -> str:
    """A text of the environment as the value of a setting."""
    if meaning in ("on", "off"):
        return str(meaning == "on")
    return text if meaning == "number" and kind != "str" else repr(text)


def _off_to_on(values: list[Value]) -> bool | None:
    """Whether the variable was off at the first call, and is turned on."""
    now, before = values
    if not isinstance(now, Const) or not isinstance(before, Const):
        return None
    is_on = isinstance(now.value, str) and not now.value.startswith("0")
    return is_on and (not isinstance(before.value, str) or before.value[:1] in ("", "0"))
