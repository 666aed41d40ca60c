"""AOTI303."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, catches, dataclass
from aoti_lint.rule.events import ExportEvent, OpenCall
from aoti_lint.rule.shapes import LEAST, Expr, inputs, replaced, shown, worth_of
from aoti_lint.rule.trials import OpTrial, Trial, outputs
from aoti_lint.rule.values import Const, DimValue, Program, Tensor, Value, expr_of

FARTHEST = 1024
"""The sizes of a range are looked at up to here: it is small ones that become 0 or 1."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A named `Dim`, the size that the example has for it, and its range, as far as that is looked at."""

    dim: DimValue
    example: int
    sizes: range


class DimRangeOfCustomOp(Rule):
    """For some sizes in the range of a `Dim`, a custom op gives an output of size 0 or 1.

    What happens:
        The export raises `Constraints violated (batch)! … Not all values of batch = L['x'].size()[0] in the specified
        range satisfy the generated guard (L['x'].size()[0] // 2) != 1.` It says so neither of the op nor of its fake,
        which are right.

    Why:
        Sizes 0 and 1 broadcast, so that tracing tells them apart from all others: the program holds for the sizes for
        which each output is of the same kind as for the example. A range that has others is refused.

    Bad:
        import torch

        @torch.library.custom_op("mylib::halve", mutates_args=())
        def halve(x: torch.Tensor) -> torch.Tensor:
            return x[: x.shape[0] // 2].clone()

        @halve.register_fake
        def _(x):
            return x.new_empty((x.shape[0] // 2, x.shape[1]))

        class Net(torch.nn.Module):
            def forward(self, x):
                return halve(x.relu()) + 1

        batch = torch.export.Dim("batch", max=64)  # <- AOTI303
        program = torch.export.export(Net(), (torch.randn(24, 8),), dynamic_shapes={"x": {0: batch}})

    Good:
        import torch

        @torch.library.custom_op("mylib::halve", mutates_args=())
        def halve(x: torch.Tensor) -> torch.Tensor:
            return x[: x.shape[0] // 2].clone()

        @halve.register_fake
        def _(x):
            return x.new_empty((x.shape[0] // 2, x.shape[1]))

        class Net(torch.nn.Module):
            def forward(self, x):
                return halve(x.relu()) + 1

        batch = torch.export.Dim("batch", min=4, max=64)
        program = torch.export.export(Net(), (torch.randn(24, 8),), dynamic_shapes={"x": {0: batch}})

    How to debug:
        `TORCH_LOGS="+dynamic"` says which line made the guard. With `Dim.AUTO` nothing is refused, and
        `program.range_constraints` tells the range that was found.

    Sources:
        Run on torch 2.13 with sizes such as `b // 2`, `b - 1`, `b % 4` and several ranges: all are refused but with
        `strict=True` where the model returns the output of the op as it is.
    """

    code = "AOTI303"
    name = "dim-range-of-custom-op"
    outcome = Outcome.RAISES_AT_EXPORT
    doubt = "with strict=True nothing refuses it where the model returns what the op gives"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        fakes: dict[str, list[OpTrial]] = {}
        for trial in facts.of(OpTrial):
            if trial.fake is not None:
                fakes.setdefault(trial.op, []).append(trial)
        for event in facts.of(ExportEvent):
            program = event.program
            if not isinstance(program, Program) or program.oblivious or program.is_draft:
                continue
            if catches(event.caught | event.expected, "UserError", "RuntimeError"):
                continue
            declared = dict(_declared(program))
            for call in event.calls:
                near = [one for one in fakes.get(call.op, ()) if one.span.path == event.span.path]
                if len(near or fakes.get(call.op, ())) == 1:
                    (fake,) = near or fakes[call.op]
                    yield from self._judged(facts, event, call, fake, declared)

    def _judged(
        self, facts: Facts, event: ExportEvent, call: OpenCall, registered: OpTrial, declared: dict[str, Declared]
    ) -> Iterator[Diagnostic]:
        told: set[str] = set()
        fake = registered.fake
        if fake is None:
            return
        for said, expr in _sizes(fake, call):
            names = {root[1] for root in expr.roots}
            name = names.pop() if len(names) == 1 else ""
            of = declared.get(name)
            if of is None or name in told:
                continue
            other = _of_another_kind(expr, of)
            if not other:
                continue
            told.add(name)
            span = of.dim.span or event.span
            first, kind = other[0]
            after = max(size for size, _ in other) + 1
            yield self.found(
                facts,
                event,
                Confidence.LIKELY,
                f"for {name} = {first}, {call.op} gives an output of size {kind} ({shown(said, fake.names)}): "
                "the export refuses the range of this Dim",
                span=span,
                label=f"{first} is in its range",
                related=(
                    Related(call.span, "the op is called here"),
                    Related(registered.span, "its fake is registered here"),
                    *([Related(event.span, "exported here")] if span != event.span else []),
                ),
                help=f'begin the range where that is over: Dim("{name}", min={after})'
                if LEAST < after <= of.example
                else "use Dim.AUTO, which finds the range for which the program holds",
                symptom="export-error",
            )


def _declared(program: Program) -> Iterator[tuple[str, Declared]]:
    """The named `Dim`s of a program whose ranges and example sizes are known."""
    for one in inputs(program):
        for index, size in enumerate(one.tensor.shape or ()):
            dim = one.declared(index)
            if dim is None or dim.kind != "named" or not isinstance(size, Const) or not isinstance(size.value, int):
                continue
            low, high = _number(dim.min, LEAST), _number(dim.max, FARTHEST)
            if low is not None and high is not None:
                sizes = range(max(low, LEAST), min(high, FARTHEST) + 1)
                yield dim.name, Declared(dim, size.value, sizes)


def _number(bound: Value, otherwise: int) -> int | None:
    """A bound of a `Dim`, `otherwise` where none is given, None where it is not known."""
    if bound == Const(None):
        return otherwise
    return bound.value if isinstance(bound, Const) and isinstance(bound.value, int) else None


def _sizes(fake: Trial, call: OpenCall) -> Iterator[tuple[Expr, Expr]]:
    """The sizes of the outputs that a fake works out: as it says them, and for the arguments of a call."""
    known: dict[Expr, Expr] = {}
    for index, given in enumerate(call.args):
        if isinstance(given, Tensor) and given.shape is not None:
            known.update({Expr("dim", f"arg{index}", i): expr_of(size) for i, size in enumerate(given.shape)})
        elif isinstance(given, Const) and isinstance(given.value, int):
            known[Expr("arg", f"arg{index}")] = Expr("const", given.value)
    ranks = {f"arg{i}": len(v.shape) for i, v in enumerate(call.args) if isinstance(v, Tensor) and v.shape is not None}
    if fake.value is None or any(ranks.get(key) != rank for key, rank in fake.ranks):
        return
    for output in outputs(fake.value):
        for size in (output.shape or ()) if isinstance(output, Tensor) else ():
            said = expr_of(size)
            if said[0] not in ("const", "dim") and all(root in known for root in said.roots):
                yield said, replaced(said, known)


def _of_another_kind(expr: Expr, of: Declared) -> list[tuple[int, int]]:
    """The sizes in a range for which the expression is 0 or 1 where it is not for the example, or the other way."""
    (root,) = set(expr.roots)

    def at(size: int) -> int | None:
        found = worth_of(expr, {root: size})
        return found if isinstance(found, int) else None

    example = at(of.example)
    found = [(size, at(size)) for size in of.sizes]
    if example is None or any(value is None for _, value in found):
        return []
    return [(size, value) for size, value in found if value is not None and min(value, LEAST) != min(example, LEAST)]
