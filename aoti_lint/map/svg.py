"""The picture of a flow, in SVG: cards from left to right, arrows between them, what is found on both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from aoti_lint.map import words
from aoti_lint.map.layout import GAP, LINE, PADDING, TEXT, WIDTH, Card, Picture, ending, fitted, picture
from aoti_lint.map.model import Arrow, Flow, Step
from aoti_lint.map.words import Found
from aoti_lint.quoting.html import Html, el

MOST_CODES: Final = 1
"""Rules that are named on an arrow; how many more there are is counted."""
MARK: Final = 27
"""Characters of what is found at a step, which are bold."""
MARGIN: Final = 3
HEAD: Final = 7
"""How long the head of an arrow is."""
BADGE: Final = 20
LEAST: Final = 80
"""Percent of its size to which a picture shrinks on a narrow page; a wider one scrolls: its text must be legible."""
STYLE: Final = Html("""
svg.flow { font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; margin: .25rem 0; }
svg.flow { max-width: 100%; height: auto; }
svg.flow .card rect { fill: var(--panel); stroke: var(--rule); }
svg.flow .card .edge { fill: var(--mark); stroke: none; }
svg.flow .model .edge, svg.flow .op .edge, svg.flow .setting .edge { fill: var(--quiet); }
svg.flow .package .edge, svg.flow .save .edge, svg.flow .bundle .edge, svg.flow .archive .edge { fill: var(--good); }
svg.flow text { font-size: 11px; } svg.flow .kind { fill: var(--quiet); }
svg.flow .title { font-size: 12.5px; font-weight: 600; }
svg.flow a { text-decoration: none; } svg.flow a:hover text, svg.flow a:focus text { text-decoration: underline; }
svg.flow .arrow path { fill: none; stroke: var(--quiet); stroke-width: 1.5; }
svg.flow .arrow .head { fill: var(--quiet); stroke: none; }
svg.flow .maybe path { stroke-dasharray: 5 4; }
svg.flow .error > rect, svg.flow .error > path { stroke: var(--bad); stroke-width: 2; }
svg.flow .error > .head, svg.flow text.mark.error { fill: var(--bad); stroke: none; }
svg.flow .warning > rect, svg.flow .warning > path { stroke: var(--warn); stroke-width: 2; }
svg.flow .warning > .head, svg.flow text.mark.warning { fill: var(--warn); stroke: none; }
svg.flow .info > .head, svg.flow text.mark.info { fill: var(--mark); stroke: none; }
svg.flow .error > .edge, svg.flow .warning > .edge { stroke: none; }
svg.flow .badge { fill: var(--paper); stroke: var(--rule); }
svg.flow .error .badge { fill: var(--bad-paper); stroke: var(--bad); }
svg.flow .warning .badge { fill: var(--warn-paper); stroke: var(--warn); }
svg.flow text.mark { font-weight: 600; }
svg.flow .dim { opacity: .2; }
@media print { svg.flow { min-width: 0 !important; } }
""")
SCRIPT: Final = Html("""
for (const svg of document.querySelectorAll("svg.flow")) {
  const cards = [...svg.querySelectorAll("[data-step]")], arrows = [...svg.querySelectorAll("[data-from]")];
  const way = (step, from, to) => {
    const found = new Set([step]);
    for (const one of found) for (const arrow of arrows) if (arrow.dataset[from] === one) found.add(arrow.dataset[to]);
    return found;
  };
  const light = (step) => {
    const on = step ? new Set([...way(step, "from", "to"), ...way(step, "to", "from")]) : null;
    for (const card of cards) card.classList.toggle("dim", on !== null && !on.has(card.dataset.step));
    for (const arrow of arrows) arrow.classList.toggle("dim",
      on !== null && !(on.has(arrow.dataset.from) && on.has(arrow.dataset.to)));
  };
  for (const card of cards) {
    for (const event of ["pointerenter", "focusin"]) card.addEventListener(event, () => light(card.dataset.step));
    for (const event of ["pointerleave", "focusout"]) card.addEventListener(event, () => light(null));
  }
}
""")
"""Where the pointer or the keyboard is at a step, what it uses and what uses it stay, and the rest is dimmed."""


def svg(flow: Flow, steps: Sequence[Step], arrows: Sequence[Arrow], found: Found, prefix: str) -> Html:
    """The picture of a flow with these steps; each card links to its words, by the id that begins with `prefix`."""
    drawn = picture(steps, arrows, {one.id: [*_said(one, flow.folder)] for one in steps})
    width, height = drawn.width + 2 * MARGIN, drawn.height + 2 * MARGIN
    return el(
        "svg",
        *(_arrow(drawn, one, found) for one in sorted(arrows, key=lambda one: bool(one.findings))),
        *(_card(one, found, prefix) for one in drawn.cards.values()),
        class_="flow", width=width, height=height, viewBox=f"{-MARGIN} {-MARGIN} {width} {height}", role="group",
        style=f"min-width: {LEAST * width // 100}px",
        aria_label=flow.title,
    )  # fmt: skip


def _said(step: Step, folder: str) -> Iterator[str]:
    """What stands in the card of a step; why something is not known stands in the words."""
    if step.place is not None:
        yield ending(words.where(step.place).removeprefix(f"{folder}/"), TEXT)
    for one in step.details:
        yield words.brief(one)


def _card(card: Card, found: Found, prefix: str) -> Html:
    step = card.step
    kind, title, *said = words.KINDS[step.kind], *card.lines
    texts = [_text(kind, card, 0, "kind"), _text(title, card, 1, "title")]
    texts += [_text(line, card, number, None) for number, line in enumerate(said, 2)]
    marks = []
    for number, (at, one) in enumerate(found.of(step.findings), len(card.lines) + 1):
        shown = _text(fitted(f"{one.code} {one.name}", MARK), card, number, f"mark {one.severity.value}")
        marks.append(el("a", el("title", one.message), shown, href=f"#f{at}"))
    return el(
        "g",
        el("rect", x=card.x, y=card.y, width=WIDTH, height=card.height, rx=5),
        el("rect", x=card.x, y=card.y + 5, width=4, height=card.height - 10, class_="edge"),
        el("a", el("title", "\n".join(words.lines(step))), *texts, href=f"#{prefix}{step.id}"),
        *marks,
        class_=" ".join(["card", step.kind, found.worst(step.findings)]).strip(), data_step=step.id,
    )  # fmt: skip


def _text(text: str, card: Card, number: int, class_: str | None) -> Html:
    y = card.y + PADDING + number * LINE + 11
    return el("text", text, x=card.x + 14, y=y, class_=class_)


def _arrow(drawn: Picture, arrow: Arrow, found: Found) -> Html:
    start, end = drawn.cards[arrow.start], drawn.cards[arrow.end]
    x, y = start.x + WIDTH, start.port
    to, below = end.x, end.port
    # Between two cards there is room for a turn, then for what is found.
    bend = x if (arrow.start, arrow.end) in drawn.early else to - GAP
    path = f"M{x} {y}H{bend}C{bend + GAP // 2} {y} {bend + GAP // 4} {below} {bend + GAP - HEAD} {below}H{to - HEAD}"
    if y == below:
        path = f"M{x} {y}H{to - HEAD}"
    return el(
        "g",
        el("title", _of_arrow(start, end, arrow, found)),
        el("path", d=path),
        el("path", d=f"M{to} {below}l{-HEAD} -4v8z", class_="head"),
        _badge(to - GAP // 2, below, arrow, found),
        class_=" ".join(["arrow", "" if arrow.sure else "maybe", found.worst(arrow.findings)]).strip(),
        data_from=arrow.start, data_to=arrow.end,
    )  # fmt: skip


def _of_arrow(start: Card, end: Card, arrow: Arrow, found: Found) -> str:
    sure = "" if arrow.sure else ", likely: several may be meant"
    said = [f"{one.code}: {one.message}" for _, one in found.of(arrow.findings)]
    return "\n".join([f"{start.step.title} → {end.step.title}{sure}", *said])


def _badge(x: int, y: int, arrow: Arrow, found: Found) -> Html | None:
    """What is found between the two, in the middle of the last gap."""
    items = found.of(arrow.findings)
    if not items:
        return None
    codes = list(dict.fromkeys(one.code for _, one in items))
    text = ", ".join(codes[:MOST_CODES]) + (f" +{len(items) - MOST_CODES}" if len(items) > MOST_CODES else "")
    wide = 7 * len(text) + 12
    return el(
        "a",
        el("title", "\n".join(f"{one.code}: {one.message}" for _, one in items)),
        el("rect", x=x - wide / 2 - 3, y=y - BADGE // 2, width=wide, height=BADGE, rx=BADGE // 2, class_="badge"),
        el("text", text, x=x - 3, y=y + 4, text_anchor="middle", class_=f"mark {items[0][1].severity.value}"),
        href=f"#f{items[0][0]}",
    )  # fmt: skip
