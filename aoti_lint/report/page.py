"""A page of HTML that needs nothing else: no network, light and dark as the reader has it, read without a script."""

from __future__ import annotations

import hashlib
import os
import time
from base64 import b64encode
from collections.abc import Sequence
from typing import Final

from aoti_lint.quoting.html import Html, el, joined, whole

STYLE: Final = Html("""
:root { color-scheme: light dark; --ink: #1c2024; --quiet: #60666d; --paper: #fff; --panel: #f5f6f8; --rule: #dcdfe4;
  --bad: #b3261e; --bad-paper: #fdeceb; --warn: #8a5300; --warn-paper: #fff4e0; --good: #1b6e3c; --good-paper: #e8f5ec;
  --mark: #2f6fbf; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7eb; --quiet: #9aa3ad; --paper: #16191d; --panel: #1f2429;
  --rule: #343b43; --bad: #ff8a80; --bad-paper: #3a1d1c; --warn: #f2b85c; --warn-paper: #362a15; --good: #7fd19b;
  --good-paper: #17301f; --mark: #7fb2f0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 68rem; color: var(--ink); background: var(--paper);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .25rem 0 .5rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; padding-bottom: .25rem; border-bottom: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
p { margin: .4rem 0; max-width: 75ch; }
a { color: var(--mark); }
code, pre, td.value, .bars { font-family: ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: 13px; }
pre { margin: .4rem 0; padding: .6rem .8rem; background: var(--panel); border: 1px solid var(--rule);
  border-radius: 6px; overflow-x: auto; max-height: 32rem; line-height: 1.4; }
pre.command { white-space: pre-wrap; user-select: all; }
pre.prose { white-space: pre-wrap; }
.quiet { color: var(--quiet); }
.bad { color: var(--bad); } .warn { color: var(--warn); } .good { color: var(--good); }
.badge { display: inline-block; padding: .05rem .55rem; border-radius: 1rem; font-size: .85rem; font-weight: 600; }
.badge.bad { background: var(--bad-paper); } .badge.warn { background: var(--warn-paper); }
.badge.good { background: var(--good-paper); }
.panel { border: 1px solid var(--rule); border-left: 4px solid var(--mark); border-radius: 6px;
  padding: .25rem 1rem .75rem; margin: 1rem 0; }
.panel h2 { margin-top: .75rem; }
.panel.bad { color: inherit; border-left-color: var(--bad); }
.panel.warn { color: inherit; border-left-color: var(--warn); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
th { text-align: left; font-weight: 600; color: var(--quiet); font-size: .85rem; }
th, td { padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--rule); vertical-align: baseline; }
td.value { white-space: nowrap; } td.number { text-align: right; } th.number { text-align: right; }
ol, ul { margin: .4rem 0; padding-left: 1.4rem; }
details { margin: .4rem 0; } summary { cursor: pointer; }
svg text { fill: var(--ink); font-size: 12px; } svg .quiet { fill: var(--quiet); }
svg.bars rect { fill: var(--mark); }
@media print { pre { max-height: none; white-space: pre-wrap; } body { max-width: none; }
  details::details-content { content-visibility: visible; display: block; height: auto; } }
""")


def whose(folder: str) -> str:
    """What a page is about: the name of the folder."""
    return os.path.basename(folder) or folder


def made_on(folder: str, version: str) -> Html:
    """The line that says what a page is about, when it was made, and by which aoti-lint.

    The day is that of `SOURCE_DATE_EPOCH` where that is set, for those who compare pages.
    """
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    day = time.strftime("%Y-%m-%d", time.gmtime(int(given) if given.isdecimal() and len(given) < 12 else None))
    return el("p", el("code", whose(folder)), f", {day}, aoti-lint {version}", class_="quiet")


def page(title: str, *body: Html | None, style: Html | None = None, script: Html | None = None) -> Html:
    """A whole page, with a `style` and a `script` of its own, which are ours alone.

    The policy forbids it to load anything, and to run anything but that script, whatever stands in it.
    """
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    if script is not None:
        policy += f"; script-src 'sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", http_equiv="Content-Security-Policy", content=policy),
        el("title", title),
        el("style", joined([STYLE, style])),
    )
    run = None if script is None else el("script", script)
    return whole(el("html", head, el("body", *body, run), lang="en"))


def pre(lines: str, class_: str | None = None) -> Html:
    """Text as it stands."""
    return el("pre", el("code", lines), class_=class_)


def table(head: list[tuple[str, str | None]], rows: list[list[Html]]) -> Html:
    """A table that scrolls by itself where it is too wide. `head` are titles with the class of each column."""
    titles = el("tr", *(el("th", title, class_=class_) for title, class_ in head))
    return el("div", el("table", el("thead", titles), el("tbody", *(el("tr", *row) for row in rows))), class_="scroll")


def listed(items: Sequence[str | Html]) -> Html | None:
    """A list; None for no items. Items that are no `Html` are escaped."""
    return el("ul", *(el("li", item) for item in items)) if items else None


def spread(bars: str, levels: str) -> Html | None:
    """A line of bars as a picture; `levels` are its characters from the lowest to the highest. None for none."""
    if not bars or any(bar not in levels for bar in bars):
        return None
    height, wide = 16, 5
    drawn = []
    for at, bar in enumerate(bars):
        tall = round(height * levels.index(bar) / (len(levels) - 1), 1)
        if tall:
            drawn.append(el("rect", x=at * wide, y=height - tall, width=wide - 1, height=tall))
    width = len(bars) * wide
    return el(
        "svg", *drawn, class_="bars", width=width, height=height, viewBox=f"0 0 {width} {height}", role="img",
        aria_label=f"spread of the values: {bars}",
    )  # fmt: skip
