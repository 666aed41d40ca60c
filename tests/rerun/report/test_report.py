"""The report of a rerun: on the terminal, as JSON and as a page."""

from __future__ import annotations

import io
import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from aoti_lint.cli.schema import DOCUMENTS, schema
from aoti_lint.quoting.html import el, escape
from aoti_lint.report.output import Output
from aoti_lint.report.page import spread
from aoti_lint.rerun.report import words
from aoti_lint.rerun.report.page import html
from aoti_lint.rerun.report.text import text
from aoti_lint.rerun.result import Ran, Result, Values
from aoti_lint.tensors.dumps import BARS
from tests.rerun.results import HARM, found, nothing, ran

EMPTY = {"meta", "br", "rect", "line", "circle", "path"}
LINKS = {"src", "href", "srcset", "data", "action", "xlink:href", "poster", "background"}


class Page(HTMLParser):
    """What a browser would see: elements, attributes and text."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def on_terminal(result: Result) -> str:
    out = io.StringIO()
    Output(None, out).styled(text(result))
    return out.getvalue()


@pytest.mark.parametrize("make", [found, nothing])
def test_the_page_escapes_everything_and_loads_nothing(make: object, tmp_path: Path) -> None:
    assert callable(make)
    source = html(make(tmp_path))
    page = Page(source)
    assert page.open == []
    assert not page.tags & {"script", "link", "img", "iframe", "object", "form", "a"}
    assert not page.attributes & LINKS
    assert not any(name.startswith("on") for name in page.attributes)
    assert "url(" not in source
    assert "@import" not in source
    assert HARM in page.text
    assert "\x1b" not in source


def test_the_page_says_who_did_it_first(tmp_path: Path) -> None:
    said = Page(html(found(tmp_path))).text
    order = ["culprit found", "It makes 54 NaN in buf1", "/home/me/model.py:15 in forward", "clamp before the log",
             "54 NaN, 2 Inf", "it showed here", "auto tmp5 = tmp4.log();", "repro/repro.py", "What was tried",
             "died of SIGABRT", "The package was not changed."]  # fmt: skip
    places = [said.index(part) for part in order]
    assert places == sorted(places)


@pytest.mark.parametrize("say", [on_terminal, html])
def test_not_found_is_said_with_what_was_excluded(say: object, tmp_path: Path) -> None:
    assert callable(say)
    said = say(nothing(tmp_path))
    assert "Not found: nothing that was run points at a culprit." in said
    assert "Names of kernels: Six kernels ran to their end." in said
    assert "culprit found" not in said


def test_a_suspect_is_no_culprit(tmp_path: Path) -> None:
    whole = found(tmp_path)
    suspect = whole.model_copy(update={"culprits": whole.culprits[1:]})
    assert on_terminal(suspect).startswith("suspect[setting torch._inductor.config.pattern_matcher]: Off, it is well.")
    assert "Not proved. What was run only points at the setting" in html(suspect)


def test_the_terminal_gets_nothing_that_moves_its_cursor(tmp_path: Path) -> None:
    whole = found(tmp_path)
    said = on_terminal(whole.model_copy(update={"notes": ("\x1b[2J\x07gone",)}))
    assert "\x1b" not in said
    assert "\\x1b[2J" in said
    assert "\x1b" not in on_terminal(nothing(tmp_path))


def test_a_command_can_be_typed_again() -> None:
    assert words.command(ran()).startswith(
        "AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER=3 PYTHONUNBUFFERED=1 TAG='a b' python 'my model.py' --name '<"
    )
    assert words.settings(ran()) == ["torch._inductor.config.pattern_matcher = False"]
    swapped = ran().model_copy(update={"config": {}, "replace": {"torch.export.export": "torch.export.draft_export"}})
    assert words.settings(swapped) == ["torch.export.export = torch.export.draft_export"]


@pytest.mark.parametrize(
    ("code", "how", "said"),
    [
        (0, "ended", "exit code 0 after 3.2 s"),
        (-11, "signal", "died of SIGSEGV after 3.2 s"),
        (-99, "signal", "died of signal 99 after 3.2 s"),
        (None, "time", "did not end, and was stopped after 3.2 s"),
        (None, "memory", "used more memory than it may after 3.2 s"),
        (None, "stopped", "interrupted after 3.2 s"),
    ],
)
def test_how_a_process_ended(code: int | None, how: str, said: str) -> None:
    one: Ran = ran(code=code, how=how)
    assert words.ended(one) == said


@pytest.mark.parametrize(
    ("nan", "inf", "bad", "said"),
    [
        (3, 0, True, "3 NaN"),
        (3, 2, True, "3 NaN, 2 Inf"),
        (None, 0, True, "NaN"),
        (0, None, True, "Inf"),
        (None, None, True, "NaN or Inf"),
        (0, 0, False, ""),
        (None, None, False, ""),
    ],
)
def test_bad_values_are_told_also_where_nobody_counted_them(
    nan: int | None, inf: int | None, bad: bool, said: str
) -> None:
    one = Values(argument="buf0", when="after", dtype="float32", shape=(2,), nan=nan, inf=inf, bad=bad)
    assert words.bad_counts(one) == said


def test_the_end_of_a_log(tmp_path: Path) -> None:
    whole = found(tmp_path)
    assert words.tail(whole.folder, "kernels/run.log") == ["first", "red \x1b]0;title\x07�", HARM]
    assert words.tail(whole.folder, "kernels/run.log", 1) == [HARM]
    assert words.tail(whole.folder, "not/there.log") == []


def test_json_is_what_the_schema_says(tmp_path: Path) -> None:
    document = json.loads(words.json_text(found(tmp_path)))
    assert Result.model_validate(document) == found(tmp_path)
    assert {"rerun", "rerun-plan"} <= set(DOCUMENTS)
    assert set(document) <= set(schema("rerun")["properties"])
    assert "stages" in schema("rerun-plan")["properties"]


def test_elements() -> None:
    assert el("p", "a < b", None, el("b", "x"), class_='"q"') == '<p class="&quot;q&quot;">a &lt; b<b>x</b></p>'
    assert el("rect", x=1, y=None) == '<rect x="1"/>'
    assert escape("\x00\ud800'") == "\\x00\\ud800&#x27;"


def test_bars_are_drawn() -> None:
    drawn = spread("█ ▁", BARS)
    assert drawn is not None
    assert drawn.count("<rect") == 2
    assert spread("", BARS) is None
    assert spread("###", BARS) is None
