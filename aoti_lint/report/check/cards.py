"""A finding as a part of a page: its places with their lines, what it is judged by, and what to do."""

from __future__ import annotations

from aoti_lint.called import CALLED
from aoti_lint.quoting.html import Html, el, joined
from aoti_lint.report.check.notes import notes, where
from aoti_lint.report.check.page import Page
from aoti_lint.report.check.told import UNREAD
from aoti_lint.report.output import PLAIN_WIDTH
from aoti_lint.report.page import pre

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Final

    from aoti_lint.report.check.told import Told
    from aoti_lint.report.styled import Line

BADGES: Final = {"error": "bad", "warning": "warn", "info": "good"}
"""The class of the badge of each severity."""
STYLE: Final = Html("""
article { border: 1px solid var(--rule); border-left: 4px solid var(--mark); border-radius: 6px; margin: .75rem 0;
  padding: .5rem 1rem .6rem; break-inside: avoid; scroll-margin-top: 5rem; }
article.error { border-left-color: var(--bad); } article.warning { border-left-color: var(--warn); }
article:target { outline: 2px solid var(--mark); }
article h3 { margin: 0; } article h3 + p { margin-top: .1rem; }
article dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .9rem; margin: .5rem 0 .2rem; }
article dt { color: var(--quiet); } article dd { margin: 0; }
pre .gutter { color: var(--quiet); } pre .related { color: var(--mark); font-weight: 600; }
pre .error { color: var(--bad); font-weight: 600; } pre .warning { color: var(--warn); font-weight: 600; }
pre .info { color: var(--good); font-weight: 600; }
@media (max-width: 36rem) { article dl { grid-template-columns: 1fr; } article dd { margin-bottom: .3rem; } }
""")
"""How they look; part of every page that has them."""


def card(told: Told, item: dict[str, Any], ident: str | None = None) -> Html:
    """One of `told.findings()`; `ident` is what links on the page know it by."""
    severity, code = item["severity"], item["code"]
    region = told.region(item)
    head = [
        el("span", severity, class_=f"badge {BADGES[severity]}"), " ",
        el("a", code, href=f"#{code}"), f" {item['name']}",
    ]  # fmt: skip
    said = [] if code == UNREAD else [*notes(item)]
    return el(
        "article",
        el("h3", *head),
        el("p", el("strong", item["message"])),
        _frames(told, item),
        el("dl", *(el(kind, text) for note in said for kind, text in zip(("dt", "dd"), note, strict=True)))
        if said
        else None,
        *_change(item["fix"]),
        class_=severity, id=ident, data_item="findings", data_code=code, data_severity=severity,
        data_file=item["filename"], data_row=None if region is None else region.row,
    )  # fmt: skip


def rules(told: Told, codes: Iterable[str]) -> Html | None:
    """The pages of these rules, where findings link to."""
    made = [_rule(told, code, url) for code, url in _urls(told, codes)]
    return el("section", el("h2", "The rules"), *made) if made else None


def _urls(told: Told, codes: Iterable[str]) -> Iterator[tuple[str, str | None]]:
    urls = {item["code"]: item["url"] for item in told.findings()}
    for code in sorted(set(codes)):
        url = urls.get(code)
        # A report of somebody else may name anything.
        yield code, url if url is not None and url.startswith("https://") else None


def _rule(told: Told, code: str, url: str | None) -> Html:
    about = told.about(code)
    return el(
        "details",
        el("summary", el("code", code), f" {'' if about is None else about.first}"),
        None if about is None else pre(about.text, "prose"),
        el("p", "With examples: ", el("code", f"aoti-lint explain {code}")),
        None if url is None else el("p", "More: ", el("a", url, href=url)),
        id=code,
    )  # fmt: skip


def _frames(told: Told, item: dict[str, Any]) -> Html:
    """The lines of each file, or cell of a notebook, that the finding speaks of, and the calls that lead there."""
    if item["location"] is None:
        return el("p", el("code", item["filename"]))
    calls = [one for one in item["related"] if one["message"] == CALLED]
    places = [(item, item["label"], item["severity"])]
    places += [(one, one["message"], "related") for one in item["related"] if one["message"] != CALLED]
    page = Page(told.line, PLAIN_WIDTH, None)
    return el("pre", el("code", *_drawn([*page.frames(places, ""), *page.calls(calls)])))


def _drawn(lines: Iterable[Line]) -> list[Html]:
    """Lines of styled segments."""
    return [
        joined([*(el("span", text, class_=style) if style else text for text, style in one), "\n"]) for one in lines
    ]


def _change(fix: dict[str, Any] | None) -> Iterator[Html]:
    """What a fix writes, where that is more than its title says."""
    edits = [] if fix is None else [edit for edit in fix["edits"] if edit["content"].strip()]
    if edits:
        yield el("details", el("summary", "What the fix writes"), *(_edit(edit) for edit in edits))


def _edit(edit: dict[str, Any]) -> Html:
    return joined([el("p", el("code", where(edit)), class_="quiet"), pre(edit["content"].strip("\r\n"))])
