"""A page for people: the findings by file, each with the lines it is about, and fields that show a part of them."""

from __future__ import annotations

from aoti_lint.lazily.regex import regex
from aoti_lint.quoting.html import el, joined
from aoti_lint.report import fields
from aoti_lint.report.check import cards
from aoti_lint.report.check.summary import summary_lines
from aoti_lint.report.page import made_on, page, whose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from aoti_lint.quoting.html import Html
    from aoti_lint.report.check.told import Told
    from aoti_lint.report.output import Output

TITLE = "Report of aoti-lint"
BEGINS = regex(rb'<!DOCTYPE html>\s*<html lang="en"><head>(?:<meta [^>]*>)*<title>Report of aoti-lint[:<]')
_SEVERITIES = ("error", "warning", "info")


def html(told: Told) -> Html:
    """The page."""
    items = [*told.findings()]
    by_file: dict[str, list[Html]] = {}
    for number, item in enumerate(items):
        by_file.setdefault(item["filename"], []).append(cards.card(told, item, f"f{number}"))
    first, *others = summary_lines(told.document, statistics=False, verbose=True)
    return page(
        f"{TITLE}: {whose(told.folder)}",
        el("header", el("h1", _text(first)), made_on(told.folder, told.document["version"]),
           *(el("p", _text(line), class_="quiet") for line in others)),
        _fields(items) if len(items) > 1 else None,
        *(el("section", el("h2", el("code", name)), *made, class_="group") for name, made in by_file.items()),
        cards.rules(told, (item["code"] for item in items)),
        style=joined([cards.STYLE, fields.STYLE]), script=fields.SCRIPT,
    )  # fmt: skip


def _text(line: Iterable[tuple[str, str]]) -> str:
    return "".join(text for text, _ in line)


def _fields(items: list[dict[str, Any]]) -> Html:
    there = {key: sorted({item[key] for item in items}) for key in ("code", "severity", "filename")}
    return fields.controls(
        {
            "severity": ("severity", [one for one in _SEVERITIES if one in there["severity"]]),
            "code": ("rule", there["code"]),
            "file": ("file", there["filename"]),
        }
    )


def write(told: Told, output: Output) -> None:
    """Write the page."""
    output.document(html(told))
