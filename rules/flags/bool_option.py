"""AOTI518."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span
from aoti_lint.rule.events import ApiCall, BoolOption, CompileEvent, ConfigWrite, EnvWrite, Event, Exporting
from aoti_lint.rule.torch import api
from aoti_lint.rule.values import TRUE, Choice, Pairs, Program, Sym, Tup, Value

CALLS = (
    "torch.export.export", "torch.export.draft_export", "torch.onnx.export", "torch._inductor.aoti_compile",
    "torch._inductor.aot_compile", "torch._export.aot_compile",
)  # fmt: skip
"""How the names of calls begin that export and compile; `torch.compile` is another."""


class OptionOfTypeBool(Rule):
    """An option with `type=bool`, for which any text is True, decides how a model is exported or compiled.

    What happens:
        `--half False` gives True, as `--half 0` and `--half no` do: only `--half ""` gives False. What it decides of
        the export, the compile or a setting goes the way of True.

    Why:
        `argparse` calls `bool("False")`, and a text that is not empty is true.

    Bad:
        import argparse

        import torch

        parser = argparse.ArgumentParser()
        parser.add_argument("--strict", type=bool, default=True)  # <- AOTI518
        options = parser.parse_args()
        program = torch.export.export(torch.nn.Linear(8, 2), (torch.randn(4, 8),), strict=options.strict)

    Good:
        import argparse

        import torch

        parser = argparse.ArgumentParser()
        parser.add_argument("--strict", action=argparse.BooleanOptionalAction, default=True)
        options = parser.parse_args()
        program = torch.export.export(torch.nn.Linear(8, 2), (torch.randn(4, 8),), strict=options.strict)

    How to debug:
        Print the options that were parsed.

    Sources:
        Run on Python 3.11 and torch 2.13 (this project's tests).
        https://docs.python.org/3/library/argparse.html#type
    """

    code = "AOTI518"
    name = "bool-option"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told: set[Span] = set()
        for event in facts.of(BoolOption):
            place, use = event.place, None if event.place in told else _first_use(facts, event)
            if use is None:
                continue
            told.add(place)
            yield self.found(
                facts,
                event,
                Confidence.CERTAIN if event.default == TRUE else Confidence.LIKELY,
                f"{event.label} has type=bool, for which any text is True, also 'False': "
                + (
                    "nothing but an empty text turns it off"
                    if event.default == TRUE
                    else "a False that is given is True"
                ),
                span=place,
                doubt="whoever gives it may mean True",
                label="declared here",
                related=(Related(use.span, "it decides this"),),
                help="use action=argparse.BooleanOptionalAction, which adds --no-…; or action='store_true'",
            )


def _first_use(facts: Facts, option: BoolOption) -> Event | None:
    """The first thing of an export, a compile or a setting that the option decides."""
    asks = _asking(option.key)
    for kind in (Exporting, CompileEvent, ApiCall, ConfigWrite, EnvWrite):
        for event in facts.of(kind):
            if isinstance(event, ApiCall) and not _matters(event.name):
                continue
            if option.is_before(event) and _is_decided(event, asks):
                return event
    return None


def _matters(name: str) -> bool:
    known = api.canonical(name)
    return known == "torch.compile" or known.startswith(CALLS)


def _asking(key: str) -> Callable[[object], bool]:
    """Whether a text, such as the key of a condition, speaks of the symbol of this key."""
    pattern = re.compile(re.escape(key) + r"(?!\w)")
    return lambda told: pattern.search(str(told)) is not None


def _is_decided(event: Event, asks: Callable[[object], bool]) -> bool:
    if any(asks(cond.key) for cond in event.path):
        return True
    return any(_speaks(value, asks) for value in _values(event))


def _values(event: Event) -> Iterator[Value]:
    match event:
        case Exporting(program=Program() as program):
            yield from (program.spec, program.strict, program.args, program.kwargs)
        case ApiCall():
            yield from (*event.args, *event.kwargs.values())
        case ConfigWrite() | EnvWrite():
            yield event.value
        case _:
            return


def _speaks(value: Value, asks: Callable[[object], bool]) -> bool:
    match value:
        case Sym(key):
            return asks(key)
        case Choice(cond, then, other):
            return asks(cond.key) or _speaks(then, asks) or _speaks(other, asks)
        case Tup(items):
            return any(_speaks(item, asks) for item in items)
        case Pairs(pairs):
            return any(_speaks(item, asks) for _, item in pairs)
        case _:
            return False
