"""AOTI230."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Related,
    Rule,
    Severity,
    Span,
    VersionSet,
    weaker,
)
from aoti_lint.rule.events import CompileEvent, ExtraEvent, FileEvent, PackEvent, SaveEvent
from aoti_lint.rule.links import archive_of, link_between, writers_of, written_to
from aoti_lint.rule.values import NONE, Const, Pairs, Value

_RUN_ON = VersionSet.since("2.13")
_UNFILLED = (Const(""), NONE)
"""What stands in a dict for what is to be filled in. Anything else is what its reader goes on with otherwise."""


class ExtraFilesRead(Rule):
    """`torch.export.load` is asked for an extra file that the program was not saved with.

    What happens:
        Nothing is said: the entry of the dict stays what it was, an empty text. What reads it raises later
        (`json.loads("")`), or takes it for empty. An empty dict stays empty, whatever the file has.

    Why:
        The load writes all extra files of the archive into the dict, under the names that `torch.export.save` was
        given, and looks at no entry of it.

    Bad:
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
        torch.export.save(program, "relu.pt2", extra_files={"labels.json": "[]"})
        extra = {"label.json": ""}
        torch.export.load("relu.pt2", extra_files=extra)  # <- AOTI230

    Good:
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(2),))
        torch.export.save(program, "relu.pt2", extra_files={"labels.json": "[]"})
        extra = {"labels.json": ""}
        torch.export.load("relu.pt2", extra_files=extra)

    How to debug:
        Print the dict after the load. `aoti-lint inspect relu.pt2` lists the extra files of an archive.

    Sources:
        Run on torch 2.13 (this project's tests).
        https://docs.pytorch.org/docs/stable/export/api_reference.html
    """

    code = "AOTI230"
    name = "extra-files-read"
    severity = Severity.WARNING
    outcome = Outcome.SILENTLY_WRONG

    def on_extra(self, facts: Facts, event: ExtraEvent) -> Iterator[Diagnostic]:
        found = _written(facts, event)
        if found is None or not isinstance(event.wanted, Pairs) or not event.versions & _RUN_ON:
            return
        names, sure, place, notes = found
        asked = {key.value: value for key, value in event.wanted.pairs if isinstance(key, Const)}
        if len(asked) < len(event.wanted.pairs) or (not asked and not names):
            return
        missing = [str(name) for name, value in asked.items() if name not in names and value in _UNFILLED]
        if not missing and asked:
            return
        held = f"it has {', '.join(map(repr, sorted(names)))}" if names else "it has none"
        what = f"no extra file {missing[0]!r}" if missing else "extra files, and an empty dict gets none of them"
        yield self.found(
            facts,
            event,
            sure,
            f"the saved program has {what} ({held}): {'the entry stays as it is' if missing else 'it stays empty'}, "
            "and nothing is said",
            failing=event.versions & _RUN_ON,
            label="asked for here",
            related=(Related(place, "saved here" if place.end else "the file"),),
            notes=notes,
            help="ask for what it was saved with, or save it with what is asked for: extra_files= of torch.export.save"
            if missing
            else f'name what is to be read: {{"{sorted(names)[0]}": ""}}',
        )


_Found = tuple[frozenset[str], Confidence, Span, tuple[str, ...]]


def _written(facts: Facts, event: ExtraEvent) -> _Found | None:
    """The extra files of the program that is loaded; None where they are not known, or something else is there."""
    link = archive_of(facts, event.file, event)
    if link is not None:
        data, archive = link.archive.data, link.archive
        names = frozenset(data.extra_files)
        return None if data.problems else (names, link.confidence, archive.span, link.notes)
    others: list[FileEvent | PackEvent] = [*writers_of(facts, FileEvent, event.file)]
    others += writers_of(facts, PackEvent, event.file)
    for other in others:
        if link_between(event.file, event, other.file, other) is not None:
            return None
    for one in writers_of(facts, CompileEvent, event.file):
        if link_between(event.file, event, written_to(one)[0], one) is not None:
            return None
    saves = [(one, sure) for one in writers_of(facts, SaveEvent, event.file)
             if (sure := link_between(event.file, event, one.file, one)) is not None]  # fmt: skip
    held = [_names(one.extra) for one, _ in saves]
    known = [names for names in held if names is not None]
    if not saves or len(known) < len(held):
        return None
    return frozenset().union(*known), weaker(*(sure for _, sure in saves), Confidence.CERTAIN), saves[0][0].span, ()


def _names(extra: Value) -> frozenset[str] | None:
    """The names of the extra files that a program is saved with; None if they are not all known."""
    if extra == NONE:
        return frozenset()
    if not isinstance(extra, Pairs) or not all(isinstance(key, Const) for key, _ in extra.pairs):
        return None
    return frozenset(str(key.value) for key, _ in extra.pairs if isinstance(key, Const))
