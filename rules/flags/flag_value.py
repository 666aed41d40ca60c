"""AOTI504."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from functools import partial

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Rule,
    Severity,
    VersionSet,
    catches,
    dataclass,
    judge,
    weaker,
)
from aoti_lint.rule.events import ConfigWrite, EnvWrite, FileWrite
from aoti_lint.rule.project import Project
from aoti_lint.rule.torch import INDUCTOR, Meaning, meaning, settings
from aoti_lint.rule.values import Sym, Value

from ._aids import PRINTER
from ._late import late, text_of
from ._runs import by_place

_YES = frozenset({"1", "true", "yes", "on", "y", "t", "enable", "enabled"})
_NO = frozenset({"", "0", "false", "no", "off", "n", "f", "disable", "disabled", "none"})
_HOLDS = re.compile(r"_(?:ID|NAME|PATH|DIR|HOME)$")
"""How the names of variables end that are no switches, though torch may ask only whether there is one."""
PRINTERS = frozenset({"0", "1", "2"})
NAMES_ONLY = VersionSet.since("2.6")
"""Releases whose printer has mode 3 as well (`torch/_inductor/codegen/debug_utils.py` of 2.5.1 and 2.6.0)."""
AFTER = frozenset({"", "dynamo", "aot"})
_LOGS = re.compile(r"((\+|-)?[\w.]+,\s*)*(\+|-)?[\w.]+")
"""What TORCH_LOGS takes as a whole (2.13.0 `torch/_logging/_internal.py`, `_gen_settings_regex`)."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with the text of a variable; `help` is what to write."""

    message: str
    help: str
    outcome: Outcome = Outcome.NO_EFFECT
    confidence: Confidence = Confidence.CERTAIN
    raises: bool = False


class FlagValue(Rule):
    """A variable or setting of torch is given a text that means something else than it says.

    What happens:
        Of most switches only `1` is on: `true`, `yes` and `on` are off, silently. Of some, any text is on:
        `TORCHDYNAMO_EXTENDED_DEBUG_CPP=0` turns it on, `AOTI_RUNTIME_CHECK_INPUTS=false` turns the check on, and so
        does an empty text (in torch 2.7 also `0`). A number is wanted elsewhere: `AOTINDUCTOR_REPRO_LEVEL=high` is a
        `ValueError: invalid literal for int() with base 10: 'high'` at the first import of Inductor. `TORCH_LOGS` with
        an unknown name raises at `import torch`; the debug printer takes "0" to "3", anything else is `ValueError: '4'
        is not a valid IntermediateValueDebuggingLevel` in the compile; `TORCHDYNAMO_REPRO_AFTER=inductor` makes every
        compile fail.

    Why:
        Each place compares the text in its own way.

    Bad:
        import os

        os.environ["TORCHINDUCTOR_FREEZING"] = "True"  # <- AOTI504
        os.environ["AOTINDUCTOR_REPRO_LEVEL"] = "high"  # <- AOTI504
        os.environ["TORCH_LOGS"] = "guard,+inductor"  # <- AOTI504
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    Bad:
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(
            program,
            package_path="net.pt2",
            inductor_configs={"aot_inductor.debug_intermediate_value_printer": "4"},  # <- AOTI504
        )

    Good:
        import os

        os.environ["TORCHINDUCTOR_FREEZING"] = "1"
        os.environ["AOTINDUCTOR_REPRO_LEVEL"] = "3"
        os.environ["TORCH_LOGS"] = "guards,+inductor"
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    How to debug:
        Print the setting: `torch._inductor.config.freezing`. `TORCH_LOGS=help` lists the names it takes.

    Sources:
        How each release compares the text (`aoti_lint/torch_api/settings.json`); run on torch 2.13 for each way.
        https://docs.pytorch.org/docs/stable/torch_environment_variables.html
    """

    code = "AOTI504"
    name = "flag-value"
    severity = Severity.WARNING
    outcome = Outcome.NO_EFFECT
    doubt = "the run may never come to where torch reads it"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        yield from self._variables(facts)
        yield from self._settings(facts)

    def _variables(self, facts: Facts) -> Iterator[Diagnostic]:
        written: list[EnvWrite | FileWrite] = [*facts.of(EnvWrite), *facts.of(FileWrite)]
        for events in by_place(written).values():
            for event in {one.name: one for one in events}.values():
                found = _problem(facts, event)
                if found is None:
                    continue
                problem, versions, sure = found
                if problem.raises and catches(event.caught | event.expected, "ValueError"):
                    continue
                yield self.found(
                    facts,
                    event,
                    weaker(sure, problem.confidence),
                    problem.message,
                    failing=versions,
                    outcome=problem.outcome,
                    help=problem.help,
                )

    def _settings(self, facts: Facts) -> Iterator[Diagnostic]:
        checks: dict[tuple[str, str], Callable[[str], Problem | None]] = {
            (INDUCTOR, PRINTER.key): _printer,
            ("torch._dynamo.config", "repro_after"): _repro_after,
        }
        wanted = [event for event in facts.of(ConfigWrite) if (event.module, event.key) in checks]
        for events in by_place(wanted).values():
            event = events[0]
            check = checks[event.module, event.key]
            verdict = judge([event.value], event.path, lambda v, check=check: _fails(check, v))  # type: ignore[misc]
            text = text_of(verdict[1][0]) if verdict is not None else None
            problem = check(text) if text is not None else None
            if verdict is None or problem is None or catches(event.caught | event.expected, "ValueError"):
                continue
            yield self.found(
                facts,
                event,
                verdict[0] if event.api else weaker(verdict[0], Confidence.LIKELY),
                problem.message,
                outcome=problem.outcome,
                help=problem.help,
            )


def _fails(check: Callable[[str], Problem | None], values: list[Value]) -> bool | None:
    text = text_of(values[0])
    return None if text is None else check(text) is not None


def _problem(facts: Facts, event: EnvWrite | FileWrite) -> tuple[Problem, VersionSet, Confidence] | None:
    """The first thing that is wrong with what a variable is given, where it is read at all."""
    if isinstance(event, EnvWrite) and late(event) is not None:
        return None  # AOTI501
    if isinstance(event.value, Sym) and event.value.key.split(" ")[0] == f"env:{event.name}":
        return None  # It gets back what it held.
    found: tuple[Problem, VersionSet, Confidence] | None = None
    for version in event.versions & settings.variable_versions(event.name):
        check = partial(_in_version, facts.project, event.name, version)
        verdict = judge([event.value], event.path, lambda v, check=check: _fails(check, v))  # type: ignore[misc]
        text = text_of(verdict[1][0]) if verdict is not None else None
        problem = check(text) if text is not None else None
        if verdict is None or problem is None:
            continue
        if found is None:
            found = problem, VersionSet([version]), verdict[0]
        elif found[0].outcome == problem.outcome:
            found = found[0], found[1] | VersionSet([version]), weaker(found[2], verdict[0])
    # What is new in some releases is no mistake in code that nobody said which releases it is for.
    return found if found is None or facts.stated_for(event.root) or found[1] == event.versions else None


def _in_version(project: Project, name: str, version: str, text: str) -> Problem | None:
    """What is wrong with the text of a variable in one release."""
    if name == PRINTER.variable:
        return _printer(text, version)
    if name == "TORCHDYNAMO_REPRO_AFTER":
        return _repro_after(text)
    if name == "TORCH_LOGS":
        return _logs(project, text, version)
    does, word = _meaning(name, text, version), text.strip().lower()
    if does == "raises":
        return Problem(
            f"{name} must be a number: {text!r} raises when torch reads it",
            "write a number",
            Outcome.RAISES_AT_IMPORT,
            Confidence.LIKELY,
            raises=True,
        )
    if does == "off" and word in _YES:
        return Problem(f"{text!r} turns {name} off: only '1' is on", f'write {name}="1"')
    if does == "on" and word in _NO and not _HOLDS.search(name):
        why, instead = _why_on(name, version), f"leave {name} unset to turn it off"
        return Problem(f"{text!r} turns {name} on: {why}", instead, Outcome.SILENTLY_WRONG)
    if does == "ignored" or (does == "text" and _is_switch(name, version)):
        effect = "counts as if it were not set" if does == "ignored" else "is kept as a text, which counts as on"
        if (does == "ignored" and word in _YES | _NO) or word in _NO - {""}:
            return Problem(f"{name} knows '0' and '1': {text!r} {effect}", f'write "{"1" if word in _YES else "0"}"')
    return None


def _meaning(name: str, text: str, version: str) -> Meaning:
    """What a text does where it matters: in C++ if that reads it, else in the settings, else wherever it is read."""
    found = settings.readings(name, version)
    telling = [one for one in found if not one.module] or [one for one in found if one.key is not None]
    meanings = {meaning(one.how, one.words, text) for one in telling}
    return meanings.pop() if len(meanings) == 1 else settings.means(name, text, version)


def _why_on(name: str, version: str) -> str:
    hows = {reading.how for reading in settings.readings(name, version)}
    if hows == {"presence"}:
        return "it is on whenever it is set"
    if "differs at the start" in hows:
        return "any text that does not begin with 0 is on"
    words = {word for reading in settings.readings(name, version) for word in reading.words}
    return "any text that is not empty is on" if "truthy" in hows or words == {""} else "only '0' is off"


def _is_switch(name: str, version: str) -> bool:
    return all(reading.how.startswith("switch") for reading in settings.readings(name, version))


def _printer(text: str, version: str = "2.13") -> Problem | None:
    if text in PRINTERS or (text == "3" and version in NAMES_ONLY):
        return None
    return Problem(
        f"the debug printer has no mode {text!r}: the compile raises ValueError, '{text}' is not a valid "
        "IntermediateValueDebuggingLevel",
        'write "0" (off), "1" (save), "2" (print values) or "3" (print names)',
        Outcome.RAISES_AT_COMPILE,
        raises=True,
    )


def _repro_after(text: str) -> Problem | None:
    if text in AFTER:
        return None
    return Problem(
        f"`repro_after` is 'dynamo' or 'aot', not {text!r}: every `torch.compile` raises",
        'write "dynamo" or "aot"; the minifier of AOTInductor is DUMP_AOTI_MINIFIER=1',
        Outcome.RAISES_AT_COMPILE,
        raises=True,
    )


def _logs(project: Project, text: str, version: str) -> Problem | None:
    """A name TORCH_LOGS does not take. It takes the name of every module that can be imported."""
    if not text:
        return None
    if not _LOGS.fullmatch(text):
        return Problem(
            f"TORCH_LOGS takes names with commas between them, not {text!r}: `import torch` raises ValueError",
            'write it like "+dynamo,graph_breaks"',
            Outcome.RAISES_AT_IMPORT,
            Confidence.LIKELY,
            raises=True,
        )
    valid = settings.log_names(version)
    for written in text.replace(" ", "").split(","):
        name = written.replace("+", "").replace("-", "")
        top = name.partition(".")[0]
        if name in valid or top == "torch" or top in sys.stdlib_module_names:
            continue
        if project.resolve(top, 0, "") is not None or project.is_package(top, 0, ""):
            continue
        near = get_close_matches(name, sorted(valid), n=1, cutoff=0.7)
        return Problem(
            f"TORCH_LOGS knows no {name!r}: `import torch` raises ValueError, unless it is a module",
            f"did you mean {near[0]}?" if near else "TORCH_LOGS=help lists the names",
            Outcome.RAISES_AT_IMPORT,
            Confidence.LIKELY if near else Confidence.POSSIBLE,
            raises=True,
        )
    return None
