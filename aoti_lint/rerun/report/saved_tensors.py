"""Says what is in the saved tensors, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from aoti_lint.tensors.judge import First, Launch, unwritten

if TYPE_CHECKING:
    from aoti_lint.report.styled import Line
    from aoti_lint.rerun.result import Launch as Known
    from aoti_lint.tensors.compare import Comparison
    from aoti_lint.tensors.dumps import Dump

SCHEMA = "aoti-lint/tensors/1"
SHOWN = 10
"""Differences that are listed."""


def text(ordered: Sequence[Launch], first: First | None, maker: Known | None = None) -> Iterator[Line]:
    """One run: each launch with its arguments, then where bad values begin; `maker` is the operator that made them.

    Launches have numbers where the package says which there are.
    """
    fresh = unwritten(ordered)
    for launch in ordered:
        name = launch.kernel if launch.number is None else f"{launch.number}. {launch.kernel}"
        if launch.silent:
            yield [(name, "name"), ("  (an operator: it saves nothing)", "gutter")]
            continue
        yield [(name, "name"), ("" if launch.finished else "  (nothing was saved after it)", "error")]
        for dump in (*launch.before, *launch.after):
            yield _row(dump, fresh=dump.path in fresh)
    yield []
    if any(launch.number is None for launch in ordered):
        yield [("Several launches of one kernel stand as one here, and the order is that of the files: ", ""),
               ("--package FILE.pt2", "name"), (" tells them apart.", "")]  # fmt: skip
    if first is None:
        yield [("No NaN and no infinity in what a kernel was given or left.", "message")]
        return
    if maker is not None:
        named = ", ".join(d.name.argument for d in first.given)
        yield [(f"The first bad values were made by the operator {maker.name}: {first.launch.kernel} was given them, "
                f"in {named}.", "message")]  # fmt: skip
        yield from ([(f"  {place.path}:{place.line}  {place.text}", "related")] for place in maker.places)
    elif first.made:
        named = ", ".join(d.name.argument for d in first.made)
        yield [(f"The first bad values were made by {first.launch.kernel}, in {named}.", "message")]
        if first.given:
            yield [("  It was given others: " + ", ".join(d.name.argument for d in first.given), "")]
    else:
        named = ", ".join(d.name.argument for d in first.given)
        yield [
            (
                f"The first bad values were given to {first.launch.kernel}, in {named}: no saved kernel made them.",
                "message",
            )
        ]
        yield [("  They are an input or a weight, or come from an operator that saves nothing (a custom one).", "")]


def _row(dump: Dump, *, fresh: bool) -> Line:
    head = f"   {dump.name.when:<6} {dump.name.argument:<12} "
    if dump.stats is None:
        return [(head, ""), (f"cannot be read: {dump.problem}", "error")]
    found = dump.stats
    body = f"{found.dtype}{list(found.shape)}"
    if fresh:
        return [(head, ""), (f"{body}  not written yet", "gutter")]
    values = "" if found.low is None else f"  {found.low:.4g} … {found.high:.4g}, mean {found.mean:.4g}  {found.bars}"
    bad = "".join(f"  {n} {what}" for n, what in ((found.nan, "NaN"), (found.inf, "Inf")) if n)
    return [(head + body + values, ""), (bad, "error")]


def compared(found: Comparison) -> Iterator[Line]:
    """Two runs: where they part."""
    if not found.differences:
        yield [(f"All {found.compared} tensors that both runs saved are the same.", "message")]
    else:
        first = found.differences[0]
        place = f"{first.one.name.when} {first.one.name.kernel}, {first.one.name.argument}"
        yield [(f"The runs part {place}: {first.words}", "message")]
        for one in found.differences[1:SHOWN]:
            yield [(f"  then {one.one.name.when} {one.one.name.kernel}, {one.one.name.argument}: {one.words}", "")]
        if len(found.differences) > SHOWN:
            yield [(f"  and {len(found.differences) - SHOWN} more", "")]
    if found.alone:
        kernels = sorted({dump.name.kernel for dump in found.alone})
        yield [(f"{len(found.alone)} tensors are in one folder only, of: {', '.join(kernels)}", "")]


def document(ordered: Sequence[Launch], first: First | None, maker: Known | None = None) -> dict[str, Any]:
    """One run for programs."""
    fresh = unwritten(ordered)
    return {
        "format": SCHEMA,
        "schema": SCHEMA,
        "launches": [
            {
                "kernel": launch.kernel,
                "number": launch.number,
                "finished": launch.finished,
                "arguments": [_entry(d, fresh=d.path in fresh) for d in (*launch.before, *launch.after)],
            }
            for launch in ordered
        ],
        "first_bad": None
        if first is None
        else {
            "kernel": first.launch.kernel,
            "number": first.launch.number,
            "operator": None if maker is None else maker.name,
            "made": [d.name.argument for d in first.made],
            "given": [d.name.argument for d in first.given],
        },
    }


def _entry(dump: Dump, *, fresh: bool) -> dict[str, Any]:
    values = None if dump.stats is None else {**asdict(dump.stats), "shape": list(dump.stats.shape)}
    return {
        "file": dump.path,
        "when": dump.name.when,
        "argument": dump.name.argument,
        "device": dump.name.device or None,
        "written": not fresh,
        "values": values,
        "problem": dump.problem or None,
    }


def compared_document(found: Comparison) -> dict[str, Any]:
    """Two runs for programs."""
    return {
        "format": SCHEMA,
        "schema": SCHEMA,
        "compared": found.compared,
        "differences": [
            {
                "when": one.one.name.when,
                "kernel": one.one.name.kernel,
                "argument": one.one.name.argument,
                "files": [one.one.path, one.other.path],
                "difference": one.words,
            }
            for one in found.differences
        ],
        "alone": [dump.path for dump in found.alone],
    }
