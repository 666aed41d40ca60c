"""What the rules about the forward of an exported model share: which dynamic sizes a guard is wrong for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from functools import partial
from math import gcd
from typing import TypeVar

from aoti_lint.rule import (
    METER,
    Confidence,
    Facts,
    Outcome,
    Related,
    Severity,
    Span,
    catches,
    dataclass,
    usual,
    weaker,
)
from aoti_lint.rule.events import DataUse, ExportEvent, OnnxExport, OpenSize, SizeGuard, Tracing
from aoti_lint.rule.inputs import Mismatch, parts
from aoti_lint.rule.shapes import LEAST, Expr, guard_holds, inputs, is_proved, non_strict, replaced, shown
from aoti_lint.rule.values import NONE, Const, Program, Value

T = TypeVar("T", bound=Tracing)

FARTHEST = 256
"""Sizes are tried up to here, around the example, and around the numbers of a guard."""
OF_PYTHON = frozenset({"int", "float", "len", "format"})
"""The kinds of guards that make a number of a size only in an export without `strict=True`."""
NEVER_PROVED = frozenset({"parts", "frames"})
"""The kinds of guards that torch proves for no named `Dim`, whatever its range."""
PROVED = NEVER_PROVED | {"bound", "slice"}
"""The kinds of guards that torch has to prove for all sizes of a named `Dim`."""
MAX_PLACES = 3
"""Further places that a finding names."""


_MOST = 2**62
_NARROWING: dict[str, Callable[[int], tuple[int, int]]] = {
    "<": lambda n: (LEAST, n - 1), "<=": lambda n: (LEAST, n),
    ">": lambda n: (n + 1, _MOST), ">=": lambda n: (n, _MOST),
}  # fmt: skip
"""The sizes that a comparison with a number leaves, by its operator."""
_ANY_SIZE = Expr("dim", "", 0)
"""What stands for a size where only the question counts."""


@dataclass(slots=True)
class Fault:
    """A guard that sizes break which the declaration of `size` allows; `others` does the same to the same size.

    `fixed`: it holds for the example alone. `breaking` is a size for which it does not hold.
    """

    event: Tracing
    program: Program
    guard: SizeGuard
    size: OpenSize
    confidence: Confidence
    fixed: bool
    breaking: int
    others: list[Span] = field(default_factory=list)
    unproved: bool = False
    """It holds for all sizes that are declared, and torch cannot prove it."""
    fitting: tuple[int | None, int | None] = (None, None)
    """The least and the greatest size around the example for which the guard holds, where others beyond break it."""
    factor: int = 0
    """What the sizes for which it holds are the multiples of; 0 where they are not."""

    @property
    def promise(self) -> str:
        """How to declare a size for which the guard holds."""
        if not self.factor:
            return "write Dim.AUTO, which finds out what the forward takes, or make the forward take all sizes"
        return f'use a Dim that promises it, as in {self.factor} * torch.export.Dim("part"), or Dim.AUTO'

    @property
    def likelihood(self) -> Confidence:
        """How sure it is that it does harm: a size that breaks the guard may never come."""
        return self.confidence if self.fixed else weaker(self.confidence, Confidence.LIKELY)

    @property
    def doubt(self) -> str:
        """What is not known, if nothing else is."""
        if self.fixed:
            return ""
        return "a size for which it fails may never come" if self.silent else "unless torch can rule such a size out"

    @property
    def silent(self) -> bool:
        """Whether the export says nothing."""
        return self.size.dim.kind == "AUTO" or self.given_up or self.at_calls

    @property
    def at_calls(self) -> bool:
        """Whether nothing asks before a call."""
        return self.guard.kind == "table"

    @property
    def given_up(self) -> bool:
        """Whether an export to ONNX makes the dimension static, which it does with a named `Dim` that is refused."""
        return isinstance(self.event, OnnxExport) and self.size.dim.kind == "named"

    @property
    def effect(self) -> str:
        """What becomes of the export."""
        if self.at_calls:
            return "the export does not ask, and a call with it raises"
        if self.given_up:
            return f"the exporter makes {self.declared} static without a word: the model takes {self.size.example} only"
        if self.silent:
            return f"Dim.AUTO gives way without a word, and the program takes {self.size.example} only"
        return f"the export refuses {self.declared}"

    @property
    def declared(self) -> str:
        """How the size is declared."""
        dim = self.size.dim
        if dim.kind == "DYNAMIC" and dim.name:
            return f'"{dim.name}", which is Dim.DYNAMIC'
        return f'Dim("{dim.name}")' if dim.kind == "named" else f"Dim.{dim.kind}"

    @property
    def places(self) -> tuple[Span, ...]:
        """Where the forward asks it."""
        return (self.guard.span, *self.others)

    @property
    def severity(self) -> Severity:
        """Of a finding that is certain."""
        return Severity.WARNING if self.silent else Severity.ERROR

    @property
    def outcome(self) -> Outcome:
        """What happens."""
        if self.at_calls:
            return Outcome.RAISES_AT_CALL
        return Outcome.SILENTLY_WRONG if self.silent else Outcome.RAISES_AT_EXPORT

    def shown(self, expr: Expr) -> str:
        """An expression as the forward may have it."""
        return written(self.event, expr)

    def related(self) -> tuple[Related, ...]:
        """The other ends: further places, the declaration, the export."""
        also = [Related(span, "and here") for span in self.others[:MAX_PLACES]]
        declared = self.size.dim.span
        if declared is not None:
            also.append(Related(declared, "declared dynamic here"))
        return (*also, Related(self.event.span, f"exported here, with an example of {self.size.example}"))


def written(event: Tracing, expr: Expr) -> str:
    """An expression with the inputs' own names: `x.shape[0]`."""
    names: dict[Expr, Expr] = {}
    for size in event.open_sizes:
        names.setdefault(size.root, Expr("dim", size.name, size.index))
    return shown(replaced(expr, names), {})


def judged(exporting: Iterable[T]) -> Iterator[tuple[T, Program]]:
    """Those of these exports that can be judged: their `dynamic_shapes` has the structure of the inputs."""
    for event in exporting:
        program = event.program
        if not isinstance(program, Program) or program.is_draft:
            continue
        # An export to ONNX is always made under backed_size_oblivious.
        if program.oblivious and isinstance(event, ExportEvent):
            continue
        if not (event.guards or event.data):
            continue
        if not any(isinstance(part, Mismatch) for part in parts(program)):
            yield event, program


def refuses(event: Tracing) -> bool:
    """Whether an export that raises is a fault: nothing catches it, and no test demands it."""
    return not catches(event.caught | event.expected, "UserError", "RuntimeError")


def sure(event: Tracing, guard: SizeGuard | DataUse) -> Confidence | None:
    """How sure it is that the way of the example leads there; None where it hangs on something unknown."""
    extra = [(cond, answer) for cond, answer in guard.path if event.path.get(cond) != answer]
    if any(usual(cond) != answer for cond, answer in extra):
        return None
    return Confidence.CERTAIN if all(cond.kind in ("loop", "exception") for cond, _ in extra) else Confidence.LIKELY


def each_place(found: Iterable[Fault], told: Iterable[Span] = ()) -> Iterator[Fault]:
    """The first fault of each export at each place that is not in `told`."""
    elsewhere, seen = set(told), set()
    for fault in found:
        key = id(fault.event), fault.guard.span
        if fault.guard.span not in elsewhere and key not in seen:
            seen.add(key)
            yield fault


def faults(facts: Facts, exporting: Iterable[Tracing], *kinds: str, unproved: bool = False) -> Iterator[Fault]:
    """The guards of these kinds that hang on one dynamic size and do not hold for all that its declaration allows.

    With `unproved`, those that hold and of which torch cannot prove it. Once a guard holds a size to that of the
    example, what the forward asks of it later is a consequence.
    """
    for event, program in judged(exporting):
        found: dict[tuple[Expr, bool], Fault] = {}
        held: dict[Expr, str] = {}
        torn = {
            a.root for a in event.open_sizes for b in event.open_sizes if a.root == b.root and a.example != b.example
        }
        for guard in facts.once(("closing", id(event)), partial(_closing, event)):
            fault = _fault(facts, event, program, guard) if guard.kind in kinds or guard.op == "==" else None
            if fault is not None and fault.unproved != unproved and guard.kind in kinds:
                continue
            if fault is None or (not fault.silent and not refuses(event)):
                continue
            if fault.size.root in torn:
                continue  # AOTI311 tells of one Dim on two sizes
            root, first = fault.size.root, held.get(fault.size.root, guard.kind)
            if guard.kind in NEVER_PROVED:
                held.setdefault(root, guard.kind)
            if fault.fixed and (guard.kind not in OF_PYTHON or event.versions <= non_strict(program)):
                held.setdefault(root, guard.kind)
            if guard.kind not in kinds or first not in kinds:
                continue
            # What nothing asks before a call is another fault than what the export refuses.
            known = found.setdefault((root, fault.at_calls), fault)
            if guard.span not in known.places:
                known.others.append(guard.span)
        yield from found.values()


def _closing(event: Tracing) -> list[SizeGuard]:
    """The guards of an event; of branches that together leave the size of the example alone, the last says so.

    Such as `x.shape[0] > 5` and `x.shape[0] < 5`, which an example of five rows answers with no. Run on torch 2.13.
    """
    examples = {size.root: size.example for size in event.open_sizes}
    bounds: dict[Expr, tuple[int, int]] = {}
    found = []
    for guard in event.guards:
        example, number = examples.get(guard.left), guard.right[1] if guard.right[0] == "const" else None
        narrow = _NARROWING.get(guard.op)
        if guard.kind == "branch" and narrow and example is not None and type(number) is int and sure(event, guard):
            low, high = bounds.get(guard.left, (LEAST, _MOST))
            least, most = narrow(number)
            bounds[guard.left] = low, high = max(low, least), min(high, most)
            if low == high == example:
                guard = replace(guard, op="==", right=Expr("const", example))
        found.append(guard)
    return found


def fixed_by_forward(facts: Facts) -> set[tuple[Span, str, int]]:
    """The dynamic dimensions that forwards surely hold to the size of the example: export, input, index.

    AOTI320, AOTI321, AOTI323 and AOTI324 say where.
    """
    kinds = {guard.kind for event, _ in judged(facts.of(ExportEvent)) for guard in event.guards}
    return {
        (fault.program.span, size.name, size.index)
        for fault in faults(facts, facts.of(ExportEvent), *sorted(kinds))
        if fault.fixed and fault.confidence is not Confidence.POSSIBLE
        for size in fault.event.open_sizes
        if size.root == fault.size.root
    }


def _fault(facts: Facts, event: Tracing, program: Program, guard: SizeGuard) -> Fault | None:
    """The fault of a guard, of which several rules ask; to which each adds the others that it speaks of."""
    found = facts.once(("guard", id(event), id(guard)), partial(_judged, facts, event, program, guard))
    return None if found is None else replace(found, others=[])


def _judged(facts: Facts, event: Tracing, program: Program, guard: SizeGuard) -> Fault | None:
    of, confidence = {*guard.left.roots, *guard.right.roots}, sure(event, guard)
    if len(of) != 1 or confidence is None:
        return None
    if guard.kind == "slice" and not event.versions <= non_strict(program):
        return None
    (root,) = of
    size = next(one for one in event.open_sizes if one.root == root)
    allowed = _allowed(size)
    if size.example not in allowed:
        return None
    sides = (replaced(side, {size.root: _ANY_SIZE}) for side in (guard.left, guard.right))
    tried = facts.once(("tried", guard.op, *sides, size.example), partial(_tried, guard, size))
    if any(yes is None for n, yes in tried.items() if n in allowed):
        return None
    fixed = guard.op == "==" and not any(yes for n, yes in tried.items() if n != size.example)
    breaking = sorted(n for n, yes in tried.items() if not yes and n in allowed)
    if guard.kind == "table":
        breaking = [n for n in breaking if _comes(event, root, n)]
    unproved = False
    if size.dim.kind == "named" and guard.kind in PROVED:
        proved = is_proved(guard.left, guard.op, guard.right, allowed.start, _bound(size.dim.max, None))
        unproved = (not breaking and proved is False) or guard.kind in NEVER_PROVED
    elif size.dim.kind == "named" and guard.kind == "reshape":
        unproved = not breaking and _rounds(guard)
    if not (breaking or unproved) or not (fixed or size.dim.kind == "named"):
        return None
    # To ONNX a range is narrowed, and Dim.AUTO stays a dynamic size of the model.
    if isinstance(event, OnnxExport) and (not fixed or size.dim.kind == "AUTO"):
        return None
    if size.dim.kind == "AUTO" and _finds_out(program):
        confidence = Confidence.POSSIBLE
    if guard.kind == "table" and size.dim.max == NONE:
        confidence = Confidence.POSSIBLE  # nobody said that longer ones come
    fitting = _fitting(tried, size.example)
    return Fault(
        event,
        program,
        guard,
        size,
        confidence,
        fixed,
        breaking[0] if breaking else 0,
        unproved=unproved,
        fitting=fitting,
        factor=_factor(tried),
    )


def _comes(event: Tracing, root: Expr, n: int) -> bool:
    """Whether a size may come to where a table is read: no export lets one through that another guard refuses."""
    return all(
        guard_holds(one, {root: n}) is not False
        for one in event.guards
        if one.kind != "table" and {*one.left.roots, *one.right.roots} == {root}
    )


def _tried(guard: SizeGuard, size: OpenSize) -> dict[int, bool | None]:
    """Whether a guard holds for each of the sizes that are tried."""
    around = [size.example + step for step in (-2, -1, 1, 2)] + [size.example * times for times in (2, 3, 5)]
    around += [n + step for side in (guard.left, guard.right) for n in side.numbers for step in (-1, 0, 1)]
    METER.spend(len(around) + FARTHEST)
    return {n: guard_holds(guard, {size.root: n}) for n in (*range(LEAST, FARTHEST), *around) if n >= LEAST}


def _rounds(guard: SizeGuard) -> bool:
    """Whether a reshape is of a size with a remainder in it, as `n + -n % 8`: torch 2.13 proves nothing of those."""
    todo = [*(guard.left[1:] if guard.left[0] == "%" else [guard.left]), guard.right]
    while todo:
        one = todo.pop()
        if one[0] == "%":
            return True
        todo += [part for part in one[1:] if isinstance(part, Expr)]
    return False


def _fitting(tried: dict[int, bool | None], example: int) -> tuple[int | None, int | None]:
    """The bounds of the range around the example in which a guard holds."""
    below = [n for n, yes in tried.items() if not yes and n < example]
    above = [n for n, yes in tried.items() if not yes and n > example]
    return (max(below) + 1 if below else None, min(above) - 1 if above else None)


def _factor(tried: dict[int, bool | None]) -> int:
    """What the sizes for which a guard holds are the multiples of, but for small ones; 0 where they are not."""
    holding = [n for n, yes in tried.items() if yes]
    common = gcd(*holding)
    whole = all(yes for n, yes in tried.items() if n % common == 0 and n >= min(holding)) if common > 1 else False
    return common if whole and len(holding) > 1 else 0


def _allowed(size: OpenSize) -> range:
    """The sizes that a declaration allows; none where a bound is not known."""
    low, high = _bound(size.dim.min, LEAST), _bound(size.dim.max, _MOST)
    return range(0) if low is None or high is None else range(max(low, LEAST), high + 1)


def _bound(value: Value, otherwise: int | None) -> int | None:
    if value == NONE:
        return otherwise
    return value.value if isinstance(value, Const) and isinstance(value.value, int) else None


def _finds_out(program: Program) -> bool:
    """Whether `Dim.AUTO` stands for all dimensions of some input: that is a way to say "what can be"."""
    for one in inputs(program):
        rank = len(one.tensor.shape or ())
        if rank > 1 and all(one.freedom(program, index) == "auto" for index in range(rank)):
            return True
    return False
