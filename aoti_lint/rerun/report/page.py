"""`report.html`: all that is known in one page, the culprit first."""

from __future__ import annotations

from typing import Final

from aoti_lint.quoting.html import Html, el, joined
from aoti_lint.report.page import listed, page, pre, spread, table
from aoti_lint.rerun.report import words
from aoti_lint.rerun.result import Culprit, Launch, Place, Ran, Result, Tried, Values
from aoti_lint.tensors.dumps import BARS

_COLUMNS: Final[list[tuple[str, str | None]]] = [
    ("", None), ("argument", None), ("tensor", None), ("min", "number"), ("mean", "number"), ("max", "number"),
    ("NaN, Inf", None), ("spread", None),
]  # fmt: skip


def html(result: Result) -> Html:
    """The page. The ends of the logs are read from the folder of the result, as far as they are there."""
    return page(
        words.headline(result),
        _head(result),
        *(_culprit(one, sure=result.found and one.sure, first=not at) for at, one in enumerate(result.culprits)),
        None if result.culprits else _not_found(result),
        _alone(result),
        _causes(result),
        _tried(result),
        _notes(result),
    )


def _head(result: Result) -> Html:
    sure = bool(result.culprits) and result.found and result.culprits[0].sure
    badge = ("bad", "culprit found") if sure else ("warn", "suspect only" if result.culprits else "not found")
    facts = [
        joined(["symptom ", el("code", result.symptom)]),
        joined(["torch ", el("code", result.torch)]) if result.torch else None,
        joined(["target ", el("code", " ".join(result.target))]),
        joined(["all files in ", el("code", result.folder)]),
    ]
    return el(
        "header",
        el("p", el("span", badge[1], class_=f"badge {badge[0]}"),
           el("span", " interrupted: this report is partial", class_="warn") if result.stopped else None),
        el("h1", words.headline(result)),
        el("p", joined([one for one in facts if one is not None], " · "), class_="quiet"),
    )  # fmt: skip


def _culprit(one: Culprit, *, sure: bool, first: bool) -> Html:
    how = "A run showed it." if sure else "No run proved it: what was seen only points here."
    body = [
        None if first else el("h2", words.named(one)[:1].upper() + words.named(one)[1:]),
        el("p", el("strong", one.what)),
        el("p", how, class_="good" if sure else "warn"),
        _place(one.place) if one.place is not None else None,
        el("p", el("strong", "What to do: "), one.fix) if one.fix else None,
        _rules(one.rules),
        _values(one.values),
        _chain(one),
        _source(one.launch) if one.launch is not None else None,
    ]
    return el("section", *body, class_="panel bad" if first and sure else "panel warn")


def _place(one: Place, label: str = "Your code: ") -> Html:
    return joined(
        [
            el("p", label, el("code", words.place(one))),
            pre(one.text.strip("\n")) if one.text.strip() else None,
        ]
    )


def _rules(rules: tuple[str, ...]) -> Html | None:
    if not rules:
        return None
    told = el("code", f"aoti-lint explain {rules[0]}")
    return el("p", f"Found before the run by {', '.join(rules)}: ", told)


def _values(values: tuple[Values, ...]) -> Html | None:
    if not values:
        return None
    return joined([el("h3", "Its tensors"), table(_COLUMNS, [_row(one) for one in values])])


def _row(one: Values) -> list[Html]:
    start = [el("td", one.when), el("td", one.argument, class_="value"), el("td", words.kind(one), class_="value")]
    if one.fresh:
        return [*start, el("td", "not written yet: what is in it is no fault", colspan=5, class_="quiet")]
    numbers = [el("td", words.number(n), class_="value number") for n in (one.low, one.mean, one.high)]
    counts = words.bad_counts(one)
    return [
        *start,
        *numbers,
        el("td", counts or ("none" if one.nan == one.inf == 0 else ""), class_="bad" if counts else "quiet"),
        el("td", spread(one.bars, BARS)),
    ]


def _chain(one: Culprit) -> Html | None:
    if not one.chain:
        return None
    steps = [one.launch, *one.chain] if one.launch is not None else list(one.chain)
    items = [joined([el("code", words.launch(step)), _hands(step, last=step is steps[-1])]) for step in steps]
    return joined([el("h3", "How it got to where it showed"), listed(items)])


def _hands(step: Launch, *, last: bool) -> Html:
    made = f" writes {', '.join(step.writes)}" if step.writes else ""
    lines = ", ".join(f"{p.path}:{p.line}" for p in step.places[:3])
    return joined(
        [
            el("span", made, class_="quiet") if made else None,
            el("span", " — it showed here", class_="bad") if last else None,
            el("span", f"  {lines}", class_="quiet") if lines else None,
        ]
    )


def _source(one: Launch) -> Html | None:
    others = [el("code", words.place(place)) for place in one.places]
    made = joined([el("h3", f"Launch {words.launch(one)}"), _made_from(others), _touches(one)])
    if not one.source.strip():
        return made
    return joined([made, el("details", el("summary", "Its source in the package"), pre(one.source), open="")])


def _made_from(places: list[Html]) -> Html | None:
    if not places:
        return None
    return el("p", "Made from ", joined(places, ", "))


def _touches(one: Launch) -> Html | None:
    said = [f"{verb} {', '.join(names)}" for verb, names in (("reads", one.reads), ("writes", one.writes)) if names]
    return el("p", "It " + " and ".join(said) + ".", class_="quiet") if said else None


def _not_found(result: Result) -> Html:
    shown = listed(words.excluded(result))
    return el(
        "section",
        el("h2", "No culprit has a name"),
        el("p", "This is what the runs showed; what they exclude need not be looked at again."),
        shown or el("p", "No stage came to an end.", class_="quiet"),
        class_="panel warn",
    )


def _alone(result: Result) -> Html | None:
    command = words.repeat_alone(result)
    if not command:
        return None
    told = el("p", "This script needs torch only, and runs it on the tensors that were saved:")
    return el("section", el("h2", "The culprit alone"), told, pre(command, "command"))


def _causes(result: Result) -> Html | None:
    items = [_cause(str(c.get("title") or c.get("cause") or ""), str(c.get("fix") or "")) for c in words.causes(result)]
    found = listed(items)
    return el("section", el("h2", "What the logs say"), found) if found is not None else None


def _cause(title: str, fix: str) -> Html:
    return joined([el("strong", title), f" {fix}" if fix else None])


def _tried(result: Result) -> Html:
    stages = [_stage(one, result.folder) for one in result.tried] or [el("p", "Nothing was run.", class_="quiet")]
    return el("section", el("h2", "What was tried"), *stages)


def _stage(one: Tried, folder: str) -> Html:
    return el(
        "div",
        el("h3", one.title, el("span", f" {one.stage}", class_="quiet")),
        listed(one.shows),
        *(_ran(ran, folder) for ran in one.ran),
    )


def _ran(ran: Ran, folder: str) -> Html:
    last = words.tail(folder, ran.log)
    settings = words.settings(ran)
    log = (
        el("details", el("summary", f"the last lines of {ran.log}"), pre("\n".join(last)))
        if last
        else el("p", "log: ", el("code", ran.log), class_="quiet")
    )
    return joined(
        [
            pre(words.command(ran), "command"),
            el("p", "with these lines where the model is compiled:", class_="quiet") if settings else None,
            pre("\n".join(settings), "command") if settings else None,
            el("p", words.ended(ran), class_="warn" if words.went_wrong(ran) else "quiet"),
            log,
        ]
    )


def _notes(result: Result) -> Html | None:
    found = listed(result.notes)
    return el("section", el("h2", "Notes"), found) if found is not None else None
