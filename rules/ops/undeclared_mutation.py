"""AOTI413."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity
from aoti_lint.rule.events import OpDefinition, OpImpl
from aoti_lint.rule.ops import FOR_ALL, NO_KEY, base_name, op_key
from aoti_lint.rule.values import Const, Value

from ._compiled import faked_ops
from ._schemas import exported_calls, is_idle, named_at, op_calls, triton_ops
from ._schemas import name_of as name_of_op
from ._trials import TRIED, kernels, name_of, sure

_SHOWN = 6
"""Ops that are named in a note."""

_SEEN = frozenset({*FOR_ALL, NO_KEY, None})
"""The dispatch keys of kernels that tracing enters; None where the key is not known."""


class UndeclaredMutation(Rule):
    """A custom op changes an argument that its schema does not say it changes.

    What happens:
        Nothing raises. Compiled code may have put something else into the memory, calculate from the old values, or
        change a tensor of the caller. Calls of an op that gives nothing and, by its schema, changes nothing, are left
        out of it: an output stays what it was before.

    Why:
        The compiler orders and re-uses by the schema: an op with `mutates_args=()`, or `Tensor x` in its schema, only
        reads.

    Bad:
        import torch

        @torch.library.custom_op("mylib::step", mutates_args=())
        def step(x: torch.Tensor) -> torch.Tensor:
            x.add_(1)  # <- AOTI413
            return x * 2

        @step.register_fake
        def _(x):
            return torch.empty_like(x)

    Good:
        import torch

        @torch.library.custom_op("mylib::step", mutates_args=("x",))
        def step(x: torch.Tensor) -> torch.Tensor:
            x.add_(1)
            return x * 2

        @step.register_fake
        def _(x):
            return torch.empty_like(x)

    How to debug:
        `torch.library.opcheck(op, (example,))` says `Argument x is not defined as mutable but was mutated`.

    Sources:
        Run on torch 2.13; an op that gives nothing with `torch.compile` and in a package.
        https://docs.pytorch.org/docs/stable/library.html
    """

    code = "AOTI413"
    name = "undeclared-mutation"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG
    doubt = TRIED

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told = set()
        seen = set[str]()
        # Tracing takes these apart, and sees what they change.
        apart = triton_ops(facts)
        for event, trial in kernels(facts):
            if event.mutable is None or event.op in apart:
                continue
            for key, note in trial.watch.mutated.items():
                argument = key.removesuffix("[]")
                name = trial.names.get(argument)
                declared = argument in event.mutable or key in trial.watch.restored
                if name is None or declared or note.span in told:
                    continue
                told.add(note.span)
                seen.add(event.op)
                yield self.found(
                    facts,
                    event,
                    sure(note, trial.watch.answered_by_data),
                    f"{name_of(event)} changes {name} here, and its schema says that it only reads it",
                    span=note.span,
                    label=f"changes {name}",
                    related=(Related(event.span, "registered here"),),
                    help=f'declare it: mutates_args=("{name}",), or Tensor(a!) {name} in a schema; or work on a copy',
                    symptom="wrong-result",
                )
        yield from self._left_out(facts, seen)

    def _left_out(self, facts: Facts, told: set[str]) -> Iterator[Diagnostic]:
        """Ops that give nothing and change nothing: one finding for those of a namespace in a file."""
        found: dict[tuple[str, str], list[tuple[str, OpDefinition]]] = {}
        # Into a kernel for all devices tracing looks, and sees what it does.
        told |= {op_key(one.op) for one in facts.of(OpImpl) if not {*map(_text, one.keys)}.isdisjoint(_SEEN)}
        for event in facts.of(OpDefinition):
            name = name_of_op(event)
            if name is not None and is_idle(event) and base_name(name) not in told:
                told.add(base_name(name))
                found.setdefault((name.partition("::")[0], event.span.path), []).append((base_name(name), event))
        if not found:
            return
        traced = {op for op, _, _ in exported_calls(facts)} | {
            base_name(one.op) for one in op_calls(facts) if one.within
        }
        faked = faked_ops(facts)
        for (namespace, _), those in found.items():
            # Those that a compiler gets as far as leaving out; the others have no fake.
            of_any = not faked.isdisjoint((f"{namespace}::?", "?"))
            served = [one for one in those if one[0] in faked or of_any]
            first = next((one for one in served or those if one[0] in traced), (served or those)[0])
            more = [op for op, _ in those if op != first[0]]
            sure = first[0] in traced or any(op.startswith((f"{namespace}::", "?")) for op in faked)
            effect = "compiled code leaves it out"
            if not served:
                effect = f"without a fake an export of it raises, and with one {effect}"
            yield self.found(
                facts,
                first[1],
                Confidence.LIKELY if sure else Confidence.POSSIBLE,
                f"the op {first[0]} gives nothing and, by its schema, changes nothing: {effect}",
                span=named_at(facts, first[1]),
                label="defined here",
                help="write Tensor(a!) for Tensor at what it writes to",
                doubt="it may be called in eager code alone",
                notes=(f"so are {', '.join(more[:_SHOWN])}{' …' * (len(more) > _SHOWN)}",) if more else (),
                symptom="wrong-result",
            )


def _text(key: Value) -> object:
    return key.value if isinstance(key, Const) else None
