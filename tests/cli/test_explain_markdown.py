"""`explain --output-format md`: pages that a reader of Markdown reads as they are meant."""

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it import MarkdownIt  # rich needs it

from aoti_lint.catalogue.registry import load
from aoti_lint.catalogue.rule_docs import read
from aoti_lint.cli.explain.markdown import page
from tests.cli.conftest import Result

Lint = Callable[..., Result]
READER = MarkdownIt("commonmark").enable("table")


def test_every_rule_has_a_page_with_its_examples_as_code(lint: Lint) -> None:
    text = lint("explain", "all", "--output-format", "md").out
    tokens = READER.parse(text)
    titles = [
        tokens[place + 1].content for place, token in enumerate(tokens) if token.tag == "h1" and token.nesting == 1
    ]
    assert titles == [f"{rule.code} {rule.name}" for rule in load()]
    code = [token.content for token in tokens if token.type == "fence"]
    docs = [read(type(rule).__doc__ or "") for rule in load()]
    assert code == [one for doc in docs for example in (*doc.bad, *doc.good) for one in example.files.values()]
    headings = {tokens[place + 1].content for place, token in enumerate(tokens) if token.tag == "h2"}
    assert {"What happens", "Why", "Bad", "Good", "Sources"} <= headings


def test_without_a_name_it_is_a_table(lint: Lint) -> None:
    html = READER.render(lint("explain", "--output-format", "md").out)
    assert html.count("<tr>") == len(list(load())) + 1
    assert re.findall(r"<td>(AOTI\d+)</td>", html) == [rule.code for rule in load()]


def test_names_messages_and_causes(lint: Lint) -> None:
    html = READER.render(lint("explain", "TORCH_LOGS", "--output-format", "md").out)
    assert "<h1><code>TORCH_LOGS</code></h1>" in html
    assert "<strong>Read:</strong> when torch is imported" in html
    html = READER.render(lint("explain", "Unable to call ExportedProgram directly.", "--output-format", "md").out)
    assert "<h1><code>Unable to call ExportedProgram directly.</code></h1>" in html
    assert "<h1>AOTI216 " in html


def test_backticks_of_others_end_no_code() -> None:
    example = {"files": {"a.py": "x = '```'\n"}, "archives": ["a`b.pt2"], "torch": None}
    entry = {
        "kind": "rule", "code": "AB100", "name": "a-b", "severity": "error", "outcome": "raises", "summary": "",
        "what_happens": "", "why": "", "bad": [example], "good": [], "how_to_debug": "", "sources": "",
    }  # fmt: skip
    tokens = READER.parse("\n".join(page(entry)))
    assert [token.content for token in tokens if token.type == "fence"] == ["x = '```'\n"]
    children = [child for token in tokens for child in token.children or ()]
    assert "a`b.pt2" in [child.content for child in children if child.type == "code_inline"]
