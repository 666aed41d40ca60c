"""AOTI402."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, dataclass, weaker
from aoti_lint.rule.ops import SAME_IN_EVERY_CALL
from aoti_lint.rule.shapes import Expr, decided, has_size, shown
from aoti_lint.rule.trials import Note, OpTrial, Trial

from ._schemas import Definitions, schema_of
from ._sizes import Passed, Passes
from ._trials import TRIED, index_of, name_of, notes, place, sure

NUMBERS = {
    "int": ("int({size}) makes a number of {what}", "leave int() away: sizes can be calculated with as they are"),
    "float": ("{size} becomes a number here", "calculate with //, or with torch.sym_float and torch.sym_max"),
    "len": ("len() makes a number of {size}", "write x.shape[0]"),
    "range": ("range({size}) makes a number of {what}", "do without the loop: calculate what it adds up to"),
    "format": ('"%d" makes a number of {size}', "write an f-string, or %s"),
}
"""What a message says of each kind of note, and what to write instead."""
MAX_PLACES = 3
"""Further places of the same fault in one fake that a finding names."""


class FakeSpecialisesASize(Rule):
    """The fake of a custom op makes a number of a size, or decides by one.

    What happens:
        With a named `Dim` the export raises `Constraints violated (batch)!`, which names the dimension and never the
        fake. With `Dim.AUTO` nothing is said: the program is static, for the size of the example. A branch on a size
        holds the program to the side that the example took.

    Why:
        The sizes that a fake sees are symbols (`SymInt`). `int()`, `len()`, `range()`, `"%d"` and an `if` need one
        number, and tracing then holds the symbol to that of the example. So are arguments that the schema calls
        `SymInt`, as `custom_op` makes it of the annotation `int`, where a caller passes a size. `torch.library.opcheck`
        calls such a fake right: it compares with the sizes of its example only.

    Bad:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return x.new_empty((int(x.shape[0]), x.shape[1]))  # <- AOTI402

    Good:
        import torch

        @torch.library.custom_op("mylib::twice", mutates_args=())
        def twice(x: torch.Tensor) -> torch.Tensor:
            return x * 2

        @twice.register_fake
        def _(x):
            return x.new_empty((x.shape[0], x.shape[1]))

    How to debug:
        `TORCH_LOGS="+dynamic"` prints each guard with the line that made it. `aoti-lint probe` runs the fake with
        sizes that have no number at all: the line that needs one raises.

    Sources:
        Run on torch 2.13. `torch/__init__.py` of release 2.13.0, class `SymInt`: `__int__`, `__index__`, `__bool__`.
        https://docs.pytorch.org/tutorials/advanced/python_custom_ops.html
    """

    code = "AOTI402"
    name = "fake-specialises-a-size"
    severity = Severity.WARNING
    outcome = Outcome.RAISES_AT_EXPORT
    doubt = TRIED

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told: set[Span] = set()
        again: dict[tuple[Span, str, Expr | None], list[Span]] = {}
        found: list[_Found] = []
        arguments = _Arguments(facts)
        for event, trial, note in sorted(notes(facts), key=lambda one: one[2].span):
            said = _said(note, trial)
            if said is None or note.span in told:
                continue
            text, help_text, confidence = said
            given = None
            if note.size is not None and not has_size(note.size):
                given = arguments.given(event, note)
                if given is None:
                    continue
                confidence = weaker(confidence, given.confidence if given.passed else Confidence.POSSIBLE)
            told.add(note.span)
            key = (place(trial.func), note.kind, note.size)
            if key in again:
                again[key].append(note.span)
                continue
            again[key] = []
            found.append(_Found(event, note, text, help_text, confidence, given, again[key]))
        for one in found:
            effect = "tracing holds it to that of the example"
            if one.given is not None and one.given.passed is None:
                effect = f"where a caller passes a size, {effect}"
            passed = () if one.given is None else one.given.related()
            also = tuple(Related(span, "and here") for span in one.others[:MAX_PLACES])
            yield self.found(
                facts,
                one.event,
                one.confidence,
                f"in the fake of {name_of(one.event)}, {one.text}: {effect}",
                span=one.note.span,
                label="needs one number",
                related=(*also, *passed, Related(one.event.span, "the fake is registered here")),
                help=one.help,
                symptom="shape-mismatch",
            )


@dataclass(frozen=True, slots=True)
class _Given:
    """An argument of an op by its name in the schema, and the size that a call passes; None where no call is seen."""

    name: str
    passed: Passed | None

    @property
    def confidence(self) -> Confidence:
        return Confidence.POSSIBLE if self.passed is None else self.passed.confidence

    def related(self) -> tuple[Related, ...]:
        """Where the size is passed."""
        return () if self.passed is None else self.passed.related(f"a size is passed for `{self.name}` here")


@dataclass(frozen=True, slots=True)
class _Found:
    """What is to be said of a note, and the `others` of the same fake of which the same could be said."""

    event: OpTrial
    note: Note
    text: str
    help: str
    confidence: Confidence
    given: _Given | None
    others: list[Span]


class _Arguments:
    """Arguments that may be symbols: those which the schema calls `SymInt`."""

    def __init__(self, facts: Facts) -> None:
        self._definitions = Definitions(facts)
        self._passes = Passes(facts, self._definitions)

    def given(self, event: OpTrial, note: Note) -> _Given | None:
        """The argument that something happens to; None where it is no symbol, or surely no size."""
        near = self._definitions.near(event.op, event.span.path)
        definition = near[0] if near else None
        schema = None if definition is None else schema_of(definition)
        if definition is None or schema is None or note.size is None:
            return None
        found: list[_Given] = []
        for root in note.size.roots:
            if root[0] != "arg":
                continue  # The size of a tensor, or a number that nobody knows.
            index = index_of(root[1])
            if index < len(schema.arguments) and schema.arguments[index].type.rstrip("?") == "SymInt":
                found.append(_Given(schema.arguments[index].name, self._passes.of(definition, schema, index)))
        passed = [one for one in found if one.passed is not None]
        if not passed:
            # By most integers that fakes branch on, and that no call is seen to give a size to, modes are told apart.
            return found[0] if found and note.kind in NUMBERS and not self._passes.calls(definition) else None
        other = None if note.other is None else _as_sizes(note.other)
        return passed[0] if other is None or decided(note.op, _as_sizes(note.size), other) is None else None


def _as_sizes(expr: Expr) -> Expr:
    """The expression where arguments are sizes: whether 0 or 1 is asked for, these answer by themselves."""
    if expr[0] == "arg":
        return Expr("dim", expr[1], 0)
    return Expr(expr[0], *(_as_sizes(one) if isinstance(one, Expr) else one for one in expr[1:]))


def _said(note: Note, trial: Trial) -> tuple[str, str, Confidence] | None:
    """What happened, what to write instead, and how sure it is; None for what leaves a size open."""
    if note.size is None:
        return None
    size = shown(note.size, trial.names)
    of = {root[1].removesuffix("[]") for root in note.size.roots if root[0] == "dim"}
    fixed = bool(of) and all(SAME_IN_EVERY_CALL.match(trial.names.get(key, "")) for key in of)
    if note.kind in NUMBERS:
        text, help_text = NUMBERS[note.kind]
        what = "a size" if has_size(note.size) else "an argument"
        return text.format(size=size, what=what), help_text, Confidence.POSSIBLE if fixed else sure(note)
    if note.kind == "branch" and note.other is not None:
        both = _is_number(note.other) and not fixed
        question = f"{size} {note.op} {shown(note.other, trial.names)}"
        help_text = "say what is right for all sizes; torch.sym_max and torch.sym_min choose without a guard"
        return f"a branch asks whether {question}", help_text, sure(note) if both else Confidence.POSSIBLE
    if note.kind == "check" and note.op == "==" and note.other is not None and _is_number(note.other):
        first = note.size[0] == "dim" and note.size[2] == 0
        help_text = "leave the check to the kernel, or write torch._check if the size really is always this"
        return (
            f"a check holds {size} to {shown(note.other, trial.names)}",
            help_text,
            sure(note) if first and not fixed else Confidence.POSSIBLE,
        )
    return None


def _is_number(expr: Expr) -> bool:
    return bool(expr[0] == "const")
