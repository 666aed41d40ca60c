"""The forms of a map: each is valid, whatever the names in it are, and says all that is found."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.map.formats import FORMATS, is_map, written
from aoti_lint.map.layout import GAP, WIDTH, picture
from aoti_lint.map.model import Arrow, Detail, Flow, Map, Place, Step
from aoti_lint.quoting import dot as quoting_dot
from aoti_lint.quoting import mermaid as quoting_mermaid
from aoti_lint.report.check.json_v1 import Location
from aoti_lint.report.check.told import Told
from aoti_lint.report.lines import Lines
from tests.chromium import shown
from tests.cli.conftest import Result
from tests.map.scripts import FILES, place
from tests.quoting.polyglot import POLYGLOT, holds
from tests.report.documents import document, finding

DOT = shutil.which("dot")
Lint = Callable[..., Result]


def step(number: int, kind: Any, title: str, *found: str, filename: str = "a.py") -> Step:
    at = Place(filename=filename, location=Location(row=number, column=1), cell=None)
    said = [(title, True, ""), ("device", False, ""), ("file", False, title)]
    details = [Detail(name=name, known=known, text=title, usual=usual) for name, known, usual in said]
    return Step(id=f"s{number}", kind=kind, title=title, place=at, details=details, findings=list(found))


def drawn(title: str, filename: str = "a.py") -> tuple[Map, Told]:
    """Two flows that share a model, and what is said of them."""
    made = document(finding(message=title, label=title, filename=filename), notes=[title])
    print_ = made["diagnostics"][0]["fingerprint"]
    kinds = ("model", "export", "package", "load", "call", "export", "call")
    steps = [step(number, kind, title, filename=filename) for number, kind in enumerate(kinds, 1)]
    steps.append(step(8, "op", title, print_, filename=filename))
    ends = [(1, 2), (2, 3), (3, 4), (4, 5), (1, 6), (6, 7)]
    arrows = [Arrow(start=f"s{a}", end=f"s{b}", sure=b != 4, findings=[print_] if b == 5 else []) for a, b in ends]
    flows = [
        Flow(folder=title, title=title, steps=["s1", "s2", "s3", "s4", "s5"], findings=[print_]),
        Flow(folder=title, title=title, steps=["s1", "s6", "s7"], findings=[]),
    ]
    found = Map(
        format="aoti-lint-map/1", version="0.1.0", torch=made["torch"], steps=steps, arrows=arrows, flows=flows,
        apart=["s8"], elsewhere=[], findings=made["diagnostics"], errors=[], notes=made["summary"]["notes"],
    )  # fmt: skip
    return found, Told(made, Lines(), "/")


class _Tags(HTMLParser):
    """The elements of a page, without the numbers in which it differs from another one."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.titles: set[str] = set()
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self._in_title = tag == "strong"

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.titles.add(data)
            self._in_title = False


def tags(page: str) -> _Tags:
    found = _Tags()
    found.feed(page)
    return found


@pytest.mark.parametrize("form", FORMATS)
def test_no_name_is_obeyed(form: str) -> None:
    text = written(form, *drawn(POLYGLOT, POLYGLOT))
    holds(re.sub("(?m)^FORGED", "", text) if form == "html" else text)
    assert is_map(text.encode())
    if form == "html":
        plain = written(form, *drawn("x", "x"))
        # Long texts are broken in two in the cards: there is nothing else that differs.
        texts = [{one for one in tags(page).tags if one[0] != "text"} for page in (text, plain)]
        assert texts[0] == texts[1]
        assert len(re.findall("<script", text)) == 1


@pytest.mark.parametrize(
    "text", ['"', "a\\", 'x"]; y', "<b>", "&amp;", "|", "`", "end", "#35;", "[[", "%%{init", "\\N"]
)
def test_labels(text: str) -> None:
    assert re.fullmatch(r'"[^"<>`|\[\]{}%]*"', quoting_mermaid.label(text))
    assert re.fullmatch(r'"(?:[^"\\]|\\[\\"])*"', quoting_dot.label(text))


def test_names_in_a_diagram_are_ours() -> None:
    with pytest.raises(ValueError, match="no name"):
        quoting_mermaid.arrow("s1", "s2; x", None, sure=True)


NODE = r'(?:\w+(?:\["[^"]*"\]|\[\("[^"]*"\)\]|\(\["[^"]*"\]\)):::\w+)'
MERMAID = re.compile(
    rf'%% aoti-lint map|flowchart LR|classDef \w+ [\w:#,-]+|subgraph \w+\["[^"]*"\]|end| *{NODE}'
    r'|\w+ (?:-->|-\.->)(?:\|"[^"]*"\|)? \w+'
)


@pytest.mark.parametrize("title", ["x", POLYGLOT], ids=["plain", "hostile"])
def test_mermaid(title: str) -> None:
    text = written("mermaid", *drawn(title))
    assert [line for line in text.splitlines() if not MERMAID.fullmatch(line)] == []
    assert 's4 -->|"AOTI101"| s5' in text
    assert "s3 -.-> s4" in text
    assert len(re.findall(r":::", text)) == 8


@pytest.mark.skipif(DOT is None, reason="there is no Graphviz")
@pytest.mark.parametrize("title", ["x", POLYGLOT], ids=["plain", "hostile"])
def test_graphviz_draws_it(title: str) -> None:
    text = written("dot", *drawn(title))
    done = subprocess.run([str(DOT), "-Tplain"], input=text, capture_output=True, text=True, check=True)
    kinds = [line.split()[0] for line in done.stdout.splitlines()]
    assert (kinds.count("node"), kinds.count("edge"), done.stderr) == (8, 6, "")


def test_dot() -> None:
    text = written("dot", *drawn("x"))
    assert '"s4" -> "s5" [label="AOTI101" color="#b3261e"];' in text
    assert '"s3" -> "s4" [style="dashed"];' in text


def test_the_page_says_it_in_words_too() -> None:
    made, told = drawn("the title")
    text = written("html", made, told)
    assert "the title" in tags(text).titles
    assert "not known (the title)" in text
    links = set(re.findall(r'href="#([^"]+)"', text))
    idents = re.findall(r' id="([^"]+)"', text)
    assert len(idents) == len(set(idents))
    assert links <= set(idents)
    assert "f0" in links


def test_a_browser_draws_it(project: Path, lint: Lint) -> None:
    place(project, FILES)
    assert lint("map", "-o", "map.html", "--no-cache").code == 0
    seen = shown((project / "map.html").as_uri(), project / "profile")
    assert re.search(r"<output[^>]*>2 of 2 flows, \d+ of \d+ findings</output>", seen)
    assert len(re.findall(r'<svg class="flow"', seen)) == 2
    assert "aoti_load_package" in seen


TOUCH = """<script>
document.querySelectorAll("[data-step]").forEach((card) => {
  const focus = new Event("focusin", {bubbles: true});
  if (card.textContent.includes("C++ host")) card.querySelector("a").dispatchEvent(focus);
});</script></body>"""
"""Puts the keyboard on the host."""


def test_the_way_of_a_step_stays_and_the_rest_is_dimmed(project: Path, lint: Lint) -> None:
    place(project, FILES)
    assert lint("map", "-o", "map.html", "--no-cache").code == 0
    page = project / "map.html"
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text(encoding="utf-8"))
    page.write_text(text.replace("</body>", TOUCH), encoding="utf-8")
    seen = shown(page.as_uri(), page.parent / "profile")
    dimmed = re.findall(r'<g class="card (\w+)[^"]* dim"', seen)
    lit = re.findall(r'<g class="card (\w+)(?: error| warning| info)?"', seen.partition("</svg>")[0])
    assert sorted(dimmed) == ["call", "load", "load", "package", "reload", "save"]
    assert sorted(lit) == ["export", "host", "model", "op", "package", "setting", "setting"]


def chain(flows: int) -> tuple[list[Step], list[Arrow]]:
    """A model that is exported often; each program is compiled, and called twice as it is."""
    steps, arrows = [step(1, "model", "m"), step(2, "setting", "s")], []
    for _ in range(flows):
        kinds = ("export", "package", "load", "call", "call", "call")
        first = len(steps) + 1
        steps += [step(first + at, kind, kind) for at, kind in enumerate(kinds)]
        ends = [(1, first), (first, first + 1), (first + 1, first + 2), (first + 2, first + 3), (first, first + 4),
                (first, first + 5), (2, first + 1)]  # fmt: skip
        arrows += [Arrow(start=f"s{a}", end=f"s{b}", sure=True, findings=[]) for a, b in ends]
    return steps, arrows


@pytest.mark.parametrize("flows", [1, 3, 100])
def test_no_card_covers_another_and_arrows_lead_to_the_right(flows: int) -> None:
    steps, arrows = chain(flows)
    made = picture(steps, arrows, {one.id: ["a line"] for one in steps})
    columns: dict[int, list[tuple[int, int]]] = {}
    for card in made.cards.values():
        columns.setdefault(card.x, []).append((card.y, card.y + card.height))
    for spans in columns.values():
        spans.sort()
        assert all(end < start for (_, end), (start, _) in itertools.pairwise(spans))
    for one in arrows:
        start, end = made.cards[one.start], made.cards[one.end]
        assert start.x + WIDTH + GAP <= end.x
        # Where it runs beside others, from one gap to another, it is at the height of one of its ends.
        level = end.port if (one.start, one.end) in made.early else start.port
        between = [card for card in made.cards.values() if start.x < card.x < end.x]
        assert not [card for card in between if card.y <= level <= card.y + card.height]


def test_the_name_of_the_file_says_the_form(project: Path, lint: Lint) -> None:
    place(project, {"a.py": FILES["export.py"]})
    for name, begins in (("m.html", "<!DOCTYPE"), ("m.mmd", "%%"), ("m.dot", "digraph"), ("m.json", "{")):
        assert lint("map", "a.py", "-o", name).code == 0
        assert (project / name).read_text(encoding="utf-8").startswith(begins)
        assert lint("map", "a.py", "-o", name).code == 0
    assert lint("map", "a.py", "-o", "m.dot", "--output-format", "json").code == 0
    assert (project / "m.dot").read_text(encoding="utf-8").startswith("{")


def test_what_is_no_map_stays(project: Path, lint: Lint) -> None:
    place(project, {"a.py": FILES["export.py"], "notes.html": "<p>mine</p>"})
    result = lint("map", "a.py", "-o", "map.png")
    assert result.code == 2
    assert "a map is a page with pictures (.html)" in result.err
    result = lint("map", "a.py", "-o", "notes.html")
    assert result.code == 2
    assert "--force" in result.err
    assert (project / "notes.html").read_text(encoding="utf-8") == "<p>mine</p>"


def test_a_page_is_not_printed_on_a_terminal(project: Path, lint: Lint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    result = lint("map")
    assert (result.code, result.out) == (2, "")
    assert "-o map.html" in result.err


def test_a_page_is_not_piped_unasked(project: Path) -> None:
    def code(*options: str) -> int:
        return subprocess.run([sys.executable, "-m", "aoti_lint", "map", *options], capture_output=True).returncode

    assert code() == 2
    assert code("--output-format", "html") == 0


def test_what_an_option_may_change_is_shown_as_it_is_by_default(project: Path, lint: Lint) -> None:
    text = """import argparse
import torch

p = argparse.ArgumentParser()
p.add_argument("--model", default="net.pt2")
p.add_argument("--folder", default="out")
a = p.parse_args()
program = torch.export.export(torch.nn.Linear(2, 2), (torch.randn(1, 2),))
torch.export.save(program, a.model)
torch.export.save(program, a.folder + "/net.pt2")
"""
    place(project, {"a.py": text})
    made = json.loads(lint("map", "--output-format", "json").out)
    told = [(one["name"], one["usual"]) for step in made["steps"] for one in step["details"] if not one["known"]]
    assert told == [("file", "net.pt2"), ("file", "out/net.pt2")]
    assert ">file: net.pt2 by default</text>" in lint("map", "--output-format", "html").out


def test_a_file_that_cannot_be_parsed(project: Path, lint: Lint) -> None:
    place(project, {"a.py": FILES["export.py"], "b.py": "import torch.export\ntorch.export.export(\n"})
    assert lint("map", "-o", "m.html").code == 2
    assert 'data-code="AOTI002"' in (project / "m.html").read_text(encoding="utf-8")
