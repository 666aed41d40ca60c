"""AOTI511."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Rule,
    Severity,
    Span,
    VersionSet,
    catches,
    judge,
    weaker,
)
from aoti_lint.rule.events import ConfigWrite
from aoti_lint.rule.torch import INDUCTOR, settings
from aoti_lint.rule.values import Const, Pairs, Ref, Tup, Value

from ._compile import COMPILE

_PLAIN = ("bool", "int", "str", "float")
_ALSO = {"int": ("bool",)}
"""What else counts as a type: bools are ints."""
_EXACT = VersionSet.between("2.4", "2.5")
"""Releases whose `torch.compile` takes no bool for an int, nor anything but the very type of the present value."""
_PRINTER = "aot_inductor.debug_intermediate_value_printer"
_FILTER = "aot_inductor.filtered_kernel_names"


class ConfigValueType(Rule):
    """A setting is given a value of another type than it has.

    What happens:
        `torch.compile(options=...)` checks, and raises: `RuntimeError: Unexpected type of attr max_autotune, got str
        should be bool`. Nothing else does: `config.max_autotune = "no"` and `inductor_configs={"shape_padding": "0"}`
        are accepted, and any text that is not empty turns a switch **on**.

        Two settings fail late, at compile: the debug printer with a number (`InductorError: ValueError: 2 is not a
        valid IntermediateValueDebuggingLevel`), and its filter with a list (`InductorError: AttributeError: 'list'
        object has no attribute 'lower'`).

    Why:
        Values read from the environment, a command line or a settings file are texts. None is right for settings that
        may be None, and where torch takes a bool for an int or a number for a bool nothing is reported.

    Bad:
        import os

        import torch
        import torch._inductor.config as config

        config.max_autotune = "no"  # <- AOTI511
        program = torch.export.export(torch.nn.Linear(8, 4), (torch.ones(2, 8),))
        torch._inductor.aoti_compile_and_package(
            program,
            inductor_configs={
                "shape_padding": "0",  # <- AOTI511
                "aot_inductor.debug_intermediate_value_printer": 2,  # <- AOTI511
                "aot_inductor.filtered_kernel_names": ["triton_poi_fused_0"],  # <- AOTI511
            },
        )
        torch.compile(torch.nn.Linear(8, 4), options={"max_autotune": 1})  # <- AOTI511

    Good:
        import os

        import torch
        import torch._inductor.config as config

        config.max_autotune = os.environ.get("TUNE") == "1"
        config.shape_padding = 1
        program = torch.export.export(torch.nn.Linear(8, 4), (torch.ones(2, 8),))
        torch._inductor.aoti_compile_and_package(
            program,
            inductor_configs={
                "shape_padding": False,
                "aot_inductor.debug_intermediate_value_printer": "2",
                "aot_inductor.filtered_kernel_names": "triton_poi_fused_0,triton_poi_fused_1",
            },
        )
        torch.compile(torch.nn.Linear(8, 4), options={"max_autotune": True})

    How to debug:
        `python -c "import torch._inductor.config as c; print(c.get_type('max_autotune'), repr(c.max_autotune))"` prints
        the type of a setting and what it is.

    Sources:
        Run on torch 2.13 (this project's tests). The types are those in the sources of the config modules of releases
        2.4.1 to 2.15.0; the check is `apply_options` in `torch/__init__.py` of each.
    """

    code = "AOTI511"
    name = "config-value-type"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        reported: set[tuple[Span, str]] = set()
        for event in facts.of(ConfigWrite):
            found = self._late(facts, event) or self._checked(facts, event) or self._unchecked(facts, event)
            if found is not None and (found.span, event.key) not in reported:
                reported.add((found.span, event.key))
                yield found

    def _late(self, facts: Facts, event: ConfigWrite) -> Diagnostic | None:
        """A value that the compile chokes on."""
        wanted = {_PRINTER: ("int", "bool"), _FILTER: ("list", "tuple", "set")}.get(event.key)
        if wanted is None or event.module != INDUCTOR or event.api == COMPILE:
            return None
        verdict = judge([event.value], event.path, lambda v: None if _type(v[0]) is None else _type(v[0]) in wanted)
        if verdict is None or catches(event.caught | event.expected, "InductorError", "RuntimeError"):
            return None
        at_once = bool(event.api)
        return self.found(
            facts,
            event,
            verdict[0] if at_once else weaker(verdict[0], Confidence.LIKELY),
            f"{event.key} is a text, and gets a {_type(verdict[1][0])}: the compile raises",
            outcome=Outcome.RAISES_AT_COMPILE,
            label=f"a {_type(verdict[1][0])}",
            help='write the level as text: "2"'
            if event.key == _PRINTER
            else 'write one text with commas: "first_kernel,second_kernel"',
        )

    def _checked(self, facts: Facts, event: ConfigWrite) -> Diagnostic | None:
        """`torch.compile` looks at the types of its options."""
        if event.api != COMPILE or catches(event.caught | event.expected, "RuntimeError"):
            return None
        key = event.key.replace("-", "_")

        def failing(values: list[Value]) -> VersionSet | None:
            given = _type(values[0])
            if given is None:
                return None
            return VersionSet(v for v in event.versions if _refuses(event.module, key, v, given))

        verdict = judge([event.value], event.path, lambda v: None if (bad := failing(v)) is None else bool(bad))
        versions = failing(verdict[1]) if verdict is not None else None
        if verdict is None or not versions:
            return None
        wanted = _declared(event.module, key, versions.last)
        return self.found(
            facts,
            event,
            verdict,
            f"the option {event.key!r} is a {wanted}, and gets a {_type(verdict[1][0])}: torch.compile raises",
            failing=versions,
            outcome=Outcome.RAISES,
            label=f"should be a {wanted}",
            help=f"give it a {wanted}",
        )

    def _unchecked(self, facts: Facts, event: ConfigWrite) -> Diagnostic | None:
        """Elsewhere a text is kept as it is: for a switch it counts as on."""
        if event.api == COMPILE:
            return None
        kinds = {_declared(event.module, event.key, version) for version in event.versions}
        if len(kinds) != 1 or (kind := kinds.pop()) not in ("bool", "int", "float"):
            return None
        verdict = judge([event.value], event.path, lambda v: None if _type(v[0]) is None else _is_text(v[0]))
        if verdict is None or not isinstance(text := verdict[1][0], Const):
            return None
        switch = kind == "bool"
        return self.found(
            facts,
            event,
            verdict,
            f"{event.key} is a switch, and the text {text.value!r} turns it on"
            if switch
            else f"{event.key} is a number, and the text {text.value!r} is kept as a text",
            severity=Severity.WARNING,
            outcome=Outcome.SILENTLY_WRONG,
            label=f"should be a {kind}",
            help="write True or False" if switch else f"write a number, or {kind}(...) of the text",
        )


def _declared(module: str, key: str, version: str) -> str:
    known = settings.setting(module, key, version)
    return known.type if known is not None else ""


def _refuses(module: str, key: str, version: str, given: str) -> bool:
    """Whether `torch.compile` of a release takes no value of the type `given` for a setting."""
    wanted = _declared(module, key, version)
    if wanted not in _PLAIN or given == wanted:
        return False
    return version in _EXACT or given not in _ALSO.get(wanted, ())


def _type(value: Value) -> str | None:
    """The name of the type of a value; None where it is not known."""
    match value:
        case Const(inner):
            return type(inner).__name__
        case Tup(cls=Ref(kind)) if kind in ("list", "set"):
            return kind
        case Tup():
            return "tuple"
        case Pairs():
            return "dict"
        case _:
            return None


def _is_text(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, str) and value.value != ""
