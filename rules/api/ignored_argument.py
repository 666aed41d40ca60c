"""AOTI206."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, Severity, Span, judge
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.values import NONE, Const, Pairs, PathValue, Ref, Tensor, Text, Tup, Value

from ._calls import calls

_DECOMPOSING = "torch.export.ExportedProgram.run_decompositions"
_PACKET = re.compile(r"torch\.ops\.(?!higher_order\b)\w+\.\w+")
_SLOTS = ((1, "_deprecated_unused_args"), (2, "_deprecated_unused_kwargs"))

_INPUTS = "example inputs: it has those of the program", Outcome.DEPRECATED, "leave them out"
_SETTINGS = "settings that are not given by name", Outcome.NO_EFFECT, "give them by name: inductor_configs=…"
"""What is ignored, what comes of that, and what to write instead."""


class IgnoredArgument(Rule):
    """Arguments that are ignored: a path as `aoti_compile_and_package`'s second, a list as table of decompositions.

    What happens:
        Given as the second argument, the path is ignored: the package goes to a file with a long name in Inductor's
        cache folder, and nothing is written where it was meant to be. Example inputs there are ignored too. All that is
        said is a log line: `You no longer need to specify args/kwargs to aoti_compile_and_package as we can get this
        information from exported_program.example_inputs.`

        Of a list of operators `run_decompositions` raises `TypeError: cannot convert dictionary update sequence element
        #0 to a sequence`; or, where each has two overloads, it decomposes none. Of a dict it takes overloads only: what
        stands there for `torch.ops.aten.gelu`, and not for `torch.ops.aten.gelu.default`, is never looked at.

    Why:
        The second and third parameter (`_deprecated_unused_args`, `_deprecated_unused_kwargs`) are there for old calls
        only. `package_path` can be given by name only. `run_decompositions` makes a dict of what it is given.

    Bad:
        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        torch._inductor.aoti_compile_and_package(program, "model.pt2")  # <- AOTI206

    Bad:
        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        torch._inductor.aoti_compile_and_package(program, {"max_autotune": True})  # <- AOTI206

    Good:
        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")

    How to debug:
        `aoti_compile_and_package` returns the path it wrote to: print it.

    Sources:
        `torch/_inductor/__init__.py`, lines 57 to 63 and 123, of release 2.13.0; the same from 2.6.0 to 2.15.0. Run on
        torch 2.13.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI206"
    name = "ignored-argument"
    outcome = Outcome.NO_EFFECT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in calls(facts, "torch._inductor.aoti_compile_and_package"):
            for index, name in _SLOTS:
                given = event.arg(index, name)
                if given is None:
                    continue
                found = self._judge(facts, event, given, event.place(index, name))
                if found is not None:
                    yield found
                    break

        for event in calls(facts, _DECOMPOSING, raising=("TypeError", "ValueError")):
            given = event.arg(0, "decomp_table")
            verdict = None if given is None else judge([given], event.path, partial(_is_row, event))
            if verdict is not None:
                yield self.found(
                    facts,
                    event,
                    verdict,
                    "run_decompositions takes a dict of operators and of what takes their place: of a row of operators "
                    "it raises, or heeds none",
                    span=event.place(0, "decomp_table"),
                    outcome=Outcome.RAISES,
                    label="no dict",
                    help="make it with torch._decomp.get_decompositions([…])",
                )
            packets = None if given is None else judge([given], event.path, _has_packet)
            if packets is not None and (op := _packet(packets[1][0])) is not None:
                yield self.found(
                    facts,
                    event,
                    packets,
                    f"run_decompositions looks for overloads of operators: what is given for {op} is not heeded",
                    span=event.place(0, "decomp_table"),
                    severity=Severity.WARNING,
                    label="the table",
                    help=f"write {op}.default, or the overload that the program calls",
                )

    def _judge(self, facts: Facts, event: ApiCall, given: Value, place: Span) -> Diagnostic | None:
        """What is wrong with what a slot that is ignored is given."""
        path = judge([given], event.path, _is_path)
        if path is not None:
            elsewhere = event.kwargs.get("package_path", NONE) == NONE and not event.open
            return self.found(
                facts,
                event,
                # What is tried after another call has raised is for a torch that has an older one.
                Confidence.POSSIBLE if event.is_after_failure else path[0],
                "aoti_compile_and_package ignores a path that is not given by name"
                + (": the package is not written there" if elsewhere else ""),
                span=place,
                severity=Severity.ERROR if elsewhere else Severity.WARNING,
                label="ignored",
                help="give it by name: package_path=…" if elsewhere else "leave it out",
            )
        what, outcome, advice = _INPUTS
        verdict = judge([given], event.path, partial(_is_given, event))
        if given == event.arg(*_SLOTS[0]) and (settings := judge([given], event.path, _is_settings)) is not None:
            verdict, (what, outcome, advice) = settings, _SETTINGS
        if verdict is None:
            return None
        return self.found(
            facts,
            event,
            verdict[0],
            f"aoti_compile_and_package ignores {what}",
            span=place,
            severity=Severity.WARNING,
            outcome=outcome,
            label="ignored",
            help=advice,
        )


def _is_row(event: ApiCall, values: list[Value]) -> bool | None:
    return event.tag(values[0]) in ("tuple", "list", "set") and not (isinstance(values[0], Tup) and not values[0].items)


def _has_packet(values: list[Value]) -> bool | None:
    return _packet(values[0]) is not None


def _packet(table: Value) -> str | None:
    """An operator without an overload that a table of decompositions has an entry for."""
    keys = (key.name for key, _ in table.pairs if isinstance(key, Ref)) if isinstance(table, Pairs) else ()
    return next((one for one in keys if _PACKET.fullmatch(one)), None)


def _is_settings(values: list[Value]) -> bool | None:
    """Whether it is a dict of settings: example inputs by position never are."""
    (given,) = values
    return isinstance(given, Pairs) and bool(given.pairs) and all(
        isinstance(key, Const) and isinstance(key.value, str) and not isinstance(value, Tensor)
        for key, value in given.pairs
    )  # fmt: skip


def _is_path(values: list[Value]) -> bool | None:
    return isinstance(values[0], PathValue | Text) or (
        isinstance(values[0], Const) and isinstance(values[0].value, str)
    )


def _is_given(event: ApiCall, values: list[Value]) -> bool | None:
    return event.tag(values[0]) in ("tuple", "list", "dict", "Tensor")
