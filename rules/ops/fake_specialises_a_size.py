"""AOTI402."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.diagnostics import Confidence, Diagnostic, Outcome, Related, Severity, Span
from aoti_lint.interp.events import OpTrial
from aoti_lint.interp.facts import Facts
from aoti_lint.interp.op_parameters import SAME_IN_EVERY_CALL
from aoti_lint.interp.symbols import Expr, has_size, roots, shown
from aoti_lint.rule import Rule
from aoti_lint.symbolic.trial import Trial
from aoti_lint.symbolic.watch import Note

from ._trials import name_of, notes, place, sure

NUMBERS = {
    "int": ("int({size}) makes a number of a size", "leave int() away: sizes can be calculated with as they are"),
    "float": ("{size} becomes a number here", "calculate with //, or with torch.sym_float and torch.sym_max"),
    "len": ("len() makes a number of {size}", "write x.shape[0]"),
    "range": ("range({size}) makes a number of a size", "do without the loop: calculate what it adds up to"),
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
        number, and tracing then holds the symbol to that of the example. `torch.library.opcheck` calls such a fake
        right: it compares with the sizes of its example only.

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

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        told: set[Span] = set()
        again: dict[tuple[Span, str, Expr | None], list[Span]] = {}
        found: list[tuple[OpTrial, Note, tuple[str, str, Confidence], list[Span]]] = []
        for event, trial, note in notes(facts):
            said = self._said(note, trial)
            if said is None or note.span in told:
                continue
            told.add(note.span)
            key = (place(trial.func), said[0], note.size)
            if key in again:
                again[key].append(note.span)
            else:
                again[key] = []
                found.append((event, note, said, again[key]))
        for event, note, (text, help_text, confidence), others in found:
            also = tuple(Related(span, "and here") for span in others[:MAX_PLACES])
            yield self.found(
                facts,
                event,
                confidence,
                f"in the fake of {name_of(event)}, {text}: tracing holds it to that of the example",
                span=note.span,
                label="needs one number",
                related=(*also, Related(event.span, "the fake is registered here")),
                help=help_text,
                symptom="shape-mismatch",
            )

    def _said(self, note: Note, trial: Trial) -> tuple[str, str, Confidence] | None:
        if note.size is None or not has_size(note.size):
            return None
        size = shown(note.size, trial.names)
        of = {root[1].removesuffix("[]") for root in roots(note.size) if root[0] == "dim"}
        fixed = all(SAME_IN_EVERY_CALL.match(trial.names.get(key, "")) for key in of)
        if note.kind in NUMBERS:
            text, help_text = NUMBERS[note.kind]
            return text.format(size=size), help_text, Confidence.POSSIBLE if fixed else sure(note)
        if note.kind == "branch" and note.other is not None:
            both = _is_number(note.other)
            question = f"{size} {note.op} {shown(note.other, trial.names)}"
            help_text = "say what is right for all sizes; torch.sym_max and torch.sym_min choose without a guard"
            likely = both and not fixed
            return f"a branch asks whether {question}", help_text, sure(note) if likely else Confidence.POSSIBLE
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
