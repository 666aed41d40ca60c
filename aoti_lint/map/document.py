"""The map of an analysis, as it is published."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from aoti_lint.coverage.line import plain_place
from aoti_lint.coverage.words import Aspect
from aoti_lint.diagnostics import Diagnostic, Span
from aoti_lint.machine.facts import Facts
from aoti_lint.map.flows import Together, flows_of
from aoti_lint.map.found import place
from aoti_lint.map.graph import steps_of
from aoti_lint.map.model import Arrow, Detail, Flow, Map, Place
from aoti_lint.map.model import Step as Published
from aoti_lint.map.steps import Step
from aoti_lint.report.document import Places


def map_of(
    facts: Facts | None,
    findings: Sequence[Diagnostic],
    document: dict[str, Any],
    named: Collection[str],
    name_of: Callable[[str], str],
) -> Map:
    """The map of what was found; `document` is that of the check which found it (see `report.check.json_v1`).

    Flows that no file of `named` takes part in are left out. `facts` is None where there was nothing to analyse.
    `name_of` gives the name that the user knows a path by.
    """
    steps: list[Step] = []
    flows: list[Together] = []
    where: Callable[[Span], str] = str
    if facts is not None:
        where = plain_place(facts.project, name_of)
        steps = steps_of(facts, where, name_of)
        place(steps, findings)
        flows = [one for one in flows_of(steps) if _is_of(one.own, named)]
    shown = {step for flow in flows for step in flow.steps}
    apart = [one for one in steps if one.kind == "op" and one not in shown and _is_of([one], named)]
    listed = [one for one in steps if one in shown or one in apart]
    idents = {step: f"s{number}" for number, step in enumerate(listed, 1)}
    told = {one for step in listed for one in step.findings} | {one for flow in flows for one in flow.findings()}
    return Map(
        format="aoti-lint-map/1",
        version=document["version"],
        torch=document["torch"],
        steps=[_step(one, idents[one], facts, name_of) for one in listed],
        arrows=[
            Arrow(start=idents[start], end=idents[end], sure=sure, findings=_once(end.between.get(start, [])))
            for end in listed
            for start, sure in end.before.items()
            if start in idents
        ],
        flows=[
            Flow(
                folder=name_of(one.folder or "."),
                title=one.title(where),
                steps=[idents[step] for step in one.steps],
                findings=one.findings(),
            )
            for one in flows
        ],
        apart=[idents[one] for one in apart],
        elsewhere=_once([one["fingerprint"] for one in document["diagnostics"] if one["fingerprint"] not in told]),
        findings=document["diagnostics"],
        errors=document["errors"],
        notes=document["summary"]["notes"],
    )


def _is_of(steps: Sequence[Step], named: Collection[str]) -> bool:
    return any(one.span is not None and one.span.path in named for one in steps)


def _step(step: Step, ident: str, facts: Facts | None, name_of: Callable[[str], str]) -> Published:
    spot = None
    if step.span is not None and facts is not None:
        found = Places(facts.project.source, name_of).place(step.span)
        spot = Place(filename=found["filename"], location=found["location"], cell=found["cell"])
    return Published(
        id=ident, kind=step.kind, title=step.title, place=spot, details=[_detail(one) for one in step.details],
        findings=_once(step.findings),
    )  # fmt: skip


def _detail(said: Aspect) -> Detail:
    return Detail(name=said.name, known=said.known, text=said.text, usual=said.usual)


def _once(fingerprints: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(fingerprints))
