"""The page of a map: the flows by folder, each as a picture and in words, then the findings with their lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from aoti_lint.map import svg, words
from aoti_lint.map.model import Arrow, Flow, Map, Step
from aoti_lint.map.words import Found
from aoti_lint.quoting.html import Html, el, joined
from aoti_lint.report import fields
from aoti_lint.report.check import cards
from aoti_lint.report.check.summary import count, versions_text
from aoti_lint.report.check.told import Told
from aoti_lint.report.page import listed, made_on, page, table, whose

TITLE: Final = "Map of aoti-lint"
FEW: Final = 8
"""So many flows are all shown; of more, those in which something is found, and their folders come first."""
NOTHING: Final = "Nothing is exported or loaded"
_STYLE: Final = Html("""
body { max-width: 104rem; }
details.flow { border: 1px solid var(--rule); border-radius: 6px; padding: .4rem .9rem; margin: .5rem 0; }
details.flow[open] { padding-bottom: .6rem; }
details.flow > summary { font-weight: 600; }
details.flow td, details.flow th { overflow-wrap: break-word; max-width: 34rem; }
td:target { background: var(--panel); }
section.findings { max-width: 68rem; }
@page { size: landscape; }
@media print { details.flow td, details.flow th { overflow-wrap: anywhere; font-size: .8rem; } }
""")
_READ: Final = (
    "A flow runs from left to right: what is exported, what is compiled of it, who loads that and who calls it. "
    "A solid arrow is certain; a dashed one is likely, as several may be meant. What is found is at the step where it "
    "is, or on the arrow between two steps that do not fit, and leads to its lines below."
)


def html(drawn: Map, told: Told) -> Html:
    """The page; `told` has the lines of what is found."""
    found = Found(drawn)
    folders: dict[str, list[tuple[int, Flow]]] = {}
    for pair in enumerate(drawn.flows):
        folders.setdefault(pair[1].folder, []).append(pair)
    parts = _Parts(drawn, found)
    many = len(drawn.flows) > FEW
    ordered = sorted(folders.items(), key=lambda one: many and not any(flow.findings for _, flow in one[1]))
    return page(
        f"{TITLE}: {whose(told.folder)}",
        _head(drawn, told.folder),
        _fields(drawn, found) if len(drawn.flows) + len(drawn.findings) > 1 else None,
        *(_folder(name, flows, parts) for name, flows in ordered),
        _apart([parts.steps[ident] for ident in drawn.apart], found),
        _findings(told),
        cards.rules(told, (item["code"] for item in told.findings())),
        _notes(drawn),
        style=joined([cards.STYLE, fields.STYLE, svg.STYLE, _STYLE]),
        script=joined([fields.SCRIPT, svg.SCRIPT]),
    )


class _Parts:
    """A map, and what of it is asked for often."""

    def __init__(self, drawn: Map, found: Found) -> None:
        self.drawn, self.found = drawn, found
        self.steps = {one.id: one for one in drawn.steps}
        self.into: dict[str, list[Arrow]] = {}
        for one in drawn.arrows:
            self.into.setdefault(one.end, []).append(one)


def _head(drawn: Map, folder: str) -> Html:
    bad = sum(bool(flow.findings) for flow in drawn.flows)
    said = f"{count(len(drawn.flows), 'flow')}, {bad or 'none'} with findings" if drawn.flows else NOTHING
    if drawn.elsewhere:
        said += f"; {count(len(drawn.elsewhere), 'finding')} elsewhere"
    versions = versions_text(drawn.torch.versions)
    return el(
        "header",
        el("h1", said),
        made_on(folder, drawn.version),
        el("p", f"For torch {versions} ({drawn.torch.origin}).", class_="quiet") if versions else None,
        el("p", _READ, class_="quiet") if drawn.flows else None,
    )


def _fields(drawn: Map, found: Found) -> Html:
    all_found = [one for _, one in found.of(dict.fromkeys(one.fingerprint for one in drawn.findings))]
    severities = {one.severity.value for one in all_found}
    files = {one.place.filename for one in drawn.steps if one.place is not None}
    return fields.controls(
        {
            "severity": ("severity", [one for one in words.SEVERITIES if one in severities]),
            "code": ("rule", sorted({one.code for one in all_found})),
            "file": ("file", sorted(files | {one.filename for one in all_found})),
        }
    )


def _folder(name: str, flows: Sequence[tuple[int, Flow]], parts: _Parts) -> Html:
    """The flows of a folder: where there are many in all, those in which nothing is found are folded away together."""
    few = len(parts.drawn.flows) <= FEW
    shown = [_flow(flow, parts, at, opened=True) for at, flow in flows if few or flow.findings]
    rest = [_flow(flow, parts, at, opened=False) for at, flow in flows if not (few or flow.findings)]
    more = f"{count(len(rest), 'flow')} without findings"
    return el(
        "section",
        el("h2", el("code", "./" if name == "." else name)),
        *shown,
        el("details", el("summary", more, class_="quiet"), *rest, class_="rest") if rest else None,
        class_="group",
    )


def _flow(flow: Flow, parts: _Parts, number: int, *, opened: bool) -> Html:
    found = parts.found
    items, prefix = [one for _, one in found.of(flow.findings)], f"w{number}-"
    steps = [parts.steps[ident] for ident in flow.steps]
    severities = [one.severity.value for one in items]
    files = dict.fromkeys(one.place.filename for one in steps if one.place is not None)
    badges = [
        el("span", count(severities.count(one), named), class_=f"badge {cards.BADGES[one]}")
        for one, named in (("error", "error"), ("warning", "warning"), ("info", "piece of advice"))
        if one in severities
    ]
    between = [one for ident in flow.steps for one in parts.into.get(ident, ()) if one.start in flow.steps]
    return el(
        "details",
        el("summary", flow.title.replace(f"{flow.folder}/", ""), " ", joined(badges, " ")),
        el("div", svg.svg(flow, steps, between, found, prefix), class_="scroll"),
        el("details", el("summary", "in words", class_="quiet"), _words(steps, between, found, prefix)),
        class_="flow", open="" if opened else None, data_item="flows", data_file="\n".join(files),
        data_severity="\n".join(dict.fromkeys(severities)), data_code="\n".join(found.codes(flow.findings)),
    )  # fmt: skip


def _words(steps: Sequence[Step], arrows: Sequence[Arrow], found: Found, prefix: str) -> Html:
    titles = {one.id: one.title for one in steps}
    rows = []
    for step in steps:
        uses = [el("a", titles[one.start], href=f"#{prefix}{one.start}") for one in arrows if one.end == step.id]
        at = [*step.findings, *(one for arrow in arrows if arrow.end == step.id for one in arrow.findings)]
        rows.append([
            el("td", words.KINDS[step.kind]),
            el("td", el("strong", step.title), id=f"{prefix}{step.id}"),
            el("td", el("code", words.where(step.place))),
            el("td", listed([words.detail(one) for one in step.details])),
            el("td", joined(uses, ", ")),
            el("td", _links(at, found)),
        ])  # fmt: skip
    return table([(name, None) for name in ("step", "what", "where", "what is known", "uses", "found")], rows)


def _links(fingerprints: Sequence[str], found: Found) -> Html:
    items = dict(found.of(dict.fromkeys(fingerprints)))
    return joined([el("a", one.code, href=f"#f{at}", title=one.message) for at, one in items.items()], ", ")


def _apart(steps: Sequence[Step], found: Found) -> Html | None:
    if not steps:
        return None
    said = el("p", "Nothing that is exported here is seen to call them.", class_="quiet")
    return el("section", el("h2", "Other custom operators"), said, _words(steps, (), found, "o-"))


def _findings(told: Told) -> Html | None:
    numbered = [*told.unread()], told.document["diagnostics"]
    made = [cards.card(told, item) for item in numbered[0]]
    made += [cards.card(told, item, f"f{number}") for number, item in enumerate(numbered[1])]
    return el("section", el("h2", "Findings"), *made, class_="group findings") if made else None


def _notes(drawn: Map) -> Html | None:
    notes = listed(drawn.notes)
    return el("section", el("h2", "What was not looked at"), notes) if notes is not None else None
