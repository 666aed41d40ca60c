"""The page that a person reads: all of it on a page of any width, and nothing twice."""

from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.called import CALLED
from aoti_lint.catalogue.rule_docs import Example
from aoti_lint.report.check.text import text_lines
from aoti_lint.report.columns import width as columns
from aoti_lint.report.lines import Lines
from aoti_lint.report.output import Output, file_link
from aoti_lint.rule import Rule
from tests.report.documents import document, finding, line_of, place
from tests.report.test_text import expected, rendered
from tests.rules.test_examples import cases, checked

WIDTHS = (40, 60, 80, 100, 120, 200)


def words(text: str) -> Counter[str]:
    """What is written, but for marks and for where lines are broken."""
    return Counter(word for word in re.split(r"[\s(,\[]+", text) if any(map(str.isalnum, word)))


@pytest.mark.parametrize(("rule", "example"), cases("bad"))
def test_pages_of_all_widths_say_the_same(
    rule: Rule, example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = checked(example, tmp_path, rule.code)
    pages = {}
    for width in WIDTHS:
        lines = ["".join(text for text, _ in line) for line in text_lines(made, Lines(), width=width, statistics=True)]
        # Only a word that is longer is wider, and the code of a fix, which stays as it is.
        wide = [line for line in lines if columns(line) > width and not re.match(" +[+] ", line)]
        assert [line for line in wide if len(re.sub(r"^[\s\d|/=+:>-]+", "", line).split()) > 1] == []
        pages[width] = words("\n".join(lines))
    assert all(page == pages[200] for page in pages.values())


def test_colours_change_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    for color in ("never", "always"):
        stream = io.StringIO()
        with Output(None, stream, color) as output:
            output.styled(text_lines(document(finding()), line_of, width=60, statistics=True))
        texts.append(re.sub(r"\x1b\[[\d;]*m", "", stream.getvalue()))
    assert texts[0] == texts[1]


CALLS = [{"message": CALLED, **place("serve.py", 4, 5, 13)}, {"message": CALLED, **place("export.py", 3, 1, 9)}]


def test_the_calls_that_lead_there_are_a_line_each() -> None:
    text = rendered(document(finding(related=CALLS)))
    assert text.split("\n\nFound")[0].splitlines()[-3:] == [
        "  = called: serve.py:4:5: y = model(x)",
        "  = then: export.py:3:1: path = torch._inductor.aoti_compile_and_package(program,",
        "      package_path='m.pt2')",
    ]


def test_what_stands_above_is_not_shown_again() -> None:
    related = [{"message": "compiled for cuda here", **place("export.py", 3, 8, 79)}]
    other = finding(code="AOTI104", name="gpu-index-not-kept", message="the index is lost", label="no index here",
                    notes=[], related=[*related, *CALLS])  # fmt: skip
    text = rendered(document(finding(related=[*related, *CALLS]), other))
    assert text.split("\n\n")[1] == expected(
        """
        error[AOTI104]: the index is lost
         --> serve.py:3:9 (gpu-index-not-kept)
          |
        3 | model = torch._inductor.aoti_load_package('m.pt2')
          |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ no index here
          |
         ::: export.py:3:8, as in the finding above: compiled for cuda here
          = help: load it on the device it was compiled for
          = outcome: raises at load
          = called: the same way as above
        """
    )
    # Only what the one above has shown.
    assert "the finding above" not in rendered(
        document(finding(), finding(related=[], **place("serve.py", 1, 1, 7)), finding())
    )


def test_a_file_has_one_frame_with_all_that_is_said_of_it() -> None:
    related = [{"message": "compiled for cuda here", **place("export.py", 3, 8, 79)}]
    more = [*related, {"message": "torch is imported here", **place("export.py", 1, 1, 13)}]
    text = rendered(document(finding(related=related), finding(related=more)))
    assert "the finding above" not in text
    assert text.count("compiled for cuda here") == 2


def test_why_it_is_not_certain() -> None:
    item = finding(confidence="likely", doubt="if option --device is 'cpu'")
    assert "= outcome: raises at load (likely: if option --device is 'cpu')" in rendered(document(item))


def test_places_are_links_where_they_are_wanted(tmp_path: Path) -> None:
    styles = {
        text: style
        for line in text_lines(document(finding()), line_of, width=80, statistics=False, folder=str(tmp_path))
        for text, style in line
        if style.startswith("link ")
    }
    assert styles == {
        "serve.py:3:9": f"link {file_link(str(tmp_path / 'serve.py'))}",
        "export.py:3:8": f"link {file_link(str(tmp_path / 'export.py'))}",
    }


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "color", "stream", "links"),
    [
        ({"TERM": "xterm"}, "auto", Terminal, True),
        ({"TERM": "xterm"}, "never", Terminal, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, "auto", Terminal, False),
        ({"TERM": "dumb"}, "auto", Terminal, False),
        ({"TERM": "dumb"}, "always", Terminal, False),
        ({"TERM": "xterm", "TERM_PROGRAM": "vscode"}, "auto", Terminal, False),
        ({"TERM": "xterm"}, "always", io.StringIO, False),
    ],
)
def test_links_are_for_terminals(
    environment: dict[str, str], color: Any, stream: type[io.StringIO], links: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Output(None, stream(), color).links is links


def test_a_link_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    with Output(None, stream, "always") as output:
        output.line(("a b.py:1", f"link {file_link('/x/a b.py')}"))
    assert re.search(r"\x1b\]8;[^;]*;file://[^/]*/x/a%20b\.py\x1b\\a b\.py:1\x1b\]8;;\x1b\\", stream.getvalue())


def test_what_fits_is_no_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    text = "  because: of the twenty words that it takes to say this, some go to the next line"
    for stream, told in (
        (Terminal(), "  because: of the twenty words that it\n    takes to say this, some go to the\n    next line\n"),
        (io.StringIO(), f"{text}\n"),
    ):
        with Output(None, stream, "never", fits=True) as output:
            output.line(text)
        assert stream.getvalue() == told
