"""AOTI414."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aoti_lint.rule import SUPPORTED, Confidence, Diagnostic, Facts, Outcome, Rule, Span, VersionSet, catches
from aoti_lint.rule.events import Event, OpDefinition, OpInference
from aoti_lint.rule.ops import Inferred, SchemaError, mutated_names, schema_given, schema_text
from aoti_lint.rule.values import Const

from ._schemas import schema_of

NAMED_ALONE = ("custom_op", "triton_op", "torch.library.define")
"""Ends of the functions that take the qualified name of an op by itself."""


class OpSchema(Rule):
    """The schema of a custom operator is one that torch refuses.

    What happens:
        The registration raises when the module is imported. For annotations: `ValueError: infer_schema(func):
        Parameter x must have a type annotation.` or `Parameter cfg has unsupported type <class 'dict'>.` For a text:
        `RuntimeError: expected ) but found 'arrow' here:` and the like, or `unknown type specifier`. For a name
        without namespace: `ValueError: not enough values to unpack (expected 2, got 1)`.

    Why:
        Every operator has a schema: its name with a namespace, the type of each argument and of what it returns, and
        which arguments it changes. `custom_op` makes it of the annotations of the function, and takes only types that a
        schema can say: tensors, `int`, `float`, `bool`, `str`, dtypes, devices, lists of some of them, and `None`.
        `list[int]` is taken since torch 2.7, before that `List[int]`.

    Bad:
        import torch

        @torch.library.custom_op("mylib::scale_", mutates_args={"x"})
        def scale_(x: torch.Tensor, options: dict) -> None:  # <- AOTI414
            x.mul_(options["factor"])

        lib = torch.library.Library("mylib", "FRAGMENT")
        lib.define("shift_(Tensor(a!) x, int64_t by) -> ()")  # <- AOTI414
        lib.define("turn_(Tensor(a!) x, bool left=true) -> ()")  # <- AOTI414

    Good:
        import torch

        @torch.library.custom_op("mylib::scale_", mutates_args={"x"})
        def scale_(x: torch.Tensor, factor: float) -> None:
            x.mul_(factor)

        lib = torch.library.Library("mylib", "FRAGMENT")
        lib.define("shift_(Tensor(a!) x, SymInt by) -> ()")
        lib.define("turn_(Tensor(a!) x, bool left=True) -> ()")

    How to debug:
        `torch.library.infer_schema(function, mutates_args=())` prints the schema of a function, or says what is wrong.

    Sources:
        `torch/_library/infer_schema.py` and `torch/library.py` of releases 2.4.1 to 2.15.0; the parser as
        `torch._C.parse_schema(text, False)` asks it; run on torch 2.13.
        https://docs.pytorch.org/docs/stable/library.html
    """

    code = "AOTI414"
    name = "op-schema"
    outcome = Outcome.RAISES_AT_IMPORT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        seen: set[tuple[Span, str]] = set()
        for found in self._all(facts):
            if (found.span, found.message) not in seen:
                seen.add((found.span, found.message))
                yield found

    def _all(self, facts: Facts) -> Iterator[Diagnostic]:
        for inference in facts.of(OpInference):
            if not catches(inference.caught | inference.expected, "ValueError"):
                yield from self._annotations(facts, inference, inference.inferred, "the function")
        for event in facts.of(OpDefinition):
            if catches(event.caught | event.expected, "ValueError", "RuntimeError"):
                continue
            named = event.op.value if isinstance(event.op, Const) else None
            shown = named if isinstance(named, str) else "the op"
            if isinstance(named, str):
                yield from self._name(facts, event, named)
            if isinstance(event.mutates, Const) and isinstance(event.mutates.value, str):
                yield from self._listed(facts, event, shown, event.mutates.value)
            if event.inferred is not None:
                yield from self._annotations(facts, event, event.inferred, shown)
            elif schema_text(event) is not None:
                yield from self._text(facts, event, shown)

    def _name(self, facts: Facts, event: OpDefinition, name: str) -> Iterator[Diagnostic]:
        if not event.api.endswith(NAMED_ALONE) or name.count("::") == 1:
            return
        short = name.rsplit("::", 1)[-1]
        yield self.found(
            facts,
            event,
            Confidence.CERTAIN,
            f'"{name}" is no name of an operator, which has one namespace: it raises',
            label="named here",
            help=f'write "mylib::{short}", with a namespace of your own',
        )

    def _annotations(self, facts: Facts, event: Event, inferred: Inferred, shown: str) -> Iterator[Diagnostic]:
        left = event.versions
        for fault in inferred.faults:
            # A release stops at the first.
            failing, left = left & fault.failing, left - fault.failing
            if not failing:
                continue
            since = f" before torch {_next(failing)}" if failing != event.versions else ""
            yield self.found(
                facts,
                event,
                Confidence.CERTAIN,
                f"torch makes no schema for {shown}{since}: {fault.message.rstrip('.')}",
                span=fault.span,
                failing=failing,
                label="this has no place in a schema",
                help=_advice(fault.message, spelling=bool(SUPPORTED - fault.failing)),
            )

    def _listed(self, facts: Facts, event: OpDefinition, shown: str, given: str) -> Iterator[Diagnostic]:
        """`mutates_args` that is one text: release 2.4 takes it for a collection of letters."""
        failing = event.versions - VersionSet(["2.4"])
        if given == "unknown" or not failing:
            return
        yield self.found(
            facts,
            event,
            Confidence.CERTAIN,
            f'mutates_args of {shown} is the text "{given}", where torch wants a list of names: it raises',
            failing=failing,
            help=f'write mutates_args=("{given}",), with the comma',
        )

    def _text(self, facts: Facts, event: OpDefinition, shown: str) -> Iterator[Diagnostic]:
        text = schema_text(event) or ""
        span = event.place or event.span
        bare = event.api.endswith(NAMED_ALONE)
        try:
            if bare and not (text.lstrip().startswith("(") and "->" in text):
                message = f"the schema of {shown} starts with its arguments, as in `(Tensor x) -> Tensor`: it raises"
                yield self.found(facts, event, Confidence.CERTAIN, message, span=span)
                return
            schema_given(event)
        except SchemaError as error:
            told = f'; "{_around(text, error.offset)}"' if text else ""
            unknown = error.kind == "type" and not error.hint
            yield self.found(
                facts,
                event,
                # A type of this name may be registered as an opaque one.
                Confidence.CERTAIN if not unknown else Confidence.POSSIBLE if "." in str(error) else Confidence.LIKELY,
                f"torch refuses the schema of {shown}: {error}{told}",
                span=span,
                label="this schema",
                help=f"write {error.hint}" if error.hint else "compare with `name(Tensor x, SymInt n=1) -> Tensor`",
            )
            return
        yield from self._mutates(facts, event, shown)

    def _mutates(self, facts: Facts, event: OpDefinition, shown: str) -> Iterator[Diagnostic]:
        """`custom_op(schema=…)` where the schema and `mutates_args` say different things."""
        schema, names = schema_of(event), mutated_names(event.mutates)
        if schema is None or names is None or not event.api.endswith("custom_op") or set(schema.mutates) == names:
            return
        said = ", ".join(sorted(schema.mutates)) or "nothing"
        yield self.found(
            facts,
            event,
            Confidence.CERTAIN,
            f"the schema of {shown} says that it changes {said}, mutates_args "
            f"says {', '.join(sorted(names)) or 'nothing'}: it raises",
            span=event.place,
            help="mark what is changed as `Tensor(a!)`, and name it in mutates_args",
        )


def _next(failing: VersionSet) -> str:
    """The release after the last of those that fail."""
    major, _, minor = failing.last.partition(".")
    return f"{major}.{int(minor) + 1}"


def _around(text: str, offset: int) -> str:
    """The part of a schema where torch stops."""
    left, right = max(0, offset - 12), min(len(text), offset + 18)
    part = re.sub(r"\s+", " ", text[left:right]).strip()
    return f"{'…' if left else ''}{part}{'…' if right < len(text) else ''}"


def _advice(message: str, *, spelling: bool) -> str:
    """What to write; `spelling`: other releases take it as it is."""
    if "type annotation" in message:
        return "annotate every parameter and the result, as in `x: torch.Tensor, n: int` and `-> torch.Tensor`"
    if "mutates_args" in message or "mutable_args" in message:
        return "name in mutates_args the tensor parameters that the function changes, and nothing else"
    if "varargs" in message:
        return "give it parameters that can be named, each with its type"
    if "default" in message:
        return "give it a number, a bool or None as default, and put the other value in the function"
    if "tuple" in message and "Return" not in message:
        return "take a list of it instead, as in `list[int]`"
    if spelling and ("list[" in message or "Sequence[" in message):
        return "write `List[...]` of typing, which every release takes"
    return "hand over tensors, numbers, texts and lists of them, each as a parameter of its own"
