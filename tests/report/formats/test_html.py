"""The page of a check: what a reader sees of it, with and without its script."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from pathlib import Path

import pytest

from aoti_lint.catalogue.pages import about
from aoti_lint.quoting.html import Html, el
from aoti_lint.report.check.formats import is_report
from aoti_lint.report.page import page
from tests.chromium import shown
from tests.report.documents import FILES, document, finding, place
from tests.report.formats.readers import written


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files that the documents speak of."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")


@pytest.mark.usefixtures("files")
def test_both_ends_stand_with_their_lines(tmp_path: Path) -> None:
    text = written(document(finding()), "html", tmp_path, about=about)
    plain = html.unescape(re.sub(r"<[^>]*>", "", text))
    assert "loaded on cpu here" in plain
    assert "compiled for cuda here" in plain
    assert FILES["serve.py"].splitlines()[2] in plain
    assert FILES["export.py"].splitlines()[2] in plain
    assert 'href="#AOTI101"' in text
    assert 'id="AOTI101"' in text


def test_what_a_fix_writes(tmp_path: Path) -> None:
    edit = {"content": 'device="cuda"', **place("serve.py", 3, 9, 51)}
    fix = {"message": "load it on cuda", "applicability": "unsafe", "edits": [edit]}
    text = written(document(finding(fix=fix)), "html", tmp_path)
    assert "fix (unsafe)" in text
    assert "device=&quot;cuda&quot;" in text


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "http://example.com"])
def test_only_pages_of_the_web_are_linked(url: str, tmp_path: Path) -> None:
    assert url not in written(document(finding(url=url)), "html", tmp_path)


def test_the_policy_names_the_script() -> None:
    made = page("t", el("p", "</script><script>alert(1)</script>"), script=Html("let a = 1 < 2;"))
    (script,) = re.findall(r"<script>(.*?)</script>", made, re.DOTALL)
    assert script == "let a = 1 < 2;"
    named = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{named}'" in html.unescape(made)
    assert "script-src" not in page("t")


def test_a_browser_shows_what_is_chosen(tmp_path: Path) -> None:
    """The script runs under the policy: it counts what is shown."""
    made = document(finding(), finding(code="AOTI301", severity="warning", **place("export.py", 3, 8, 79)))
    path = tmp_path / "page.html"
    path.write_text(written(made, "html", tmp_path), encoding="utf-8")
    seen = shown(path.as_uri(), path.parent / "profile")
    assert re.search(r"<output[^>]*>2 of 2 findings</output>", seen)
    assert re.search(r'<form class="filter">', seen)
    # As where a reader chooses a severity.
    chosen = path.read_text(encoding="utf-8").replace(
        '<option value="warning">', '<option selected="" value="warning">'
    )
    path.write_text(chosen, encoding="utf-8")
    seen = shown(path.as_uri(), path.parent / "profile")
    assert re.search(r"<output[^>]*>1 of 2 findings</output>", seen)
    assert len(re.findall(r"<article[^>]* hidden", seen)) == 1


def test_it_says_whose_it_is_and_of_which_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    folder = tmp_path / "a<b"
    folder.mkdir()
    text = written(document(finding()), "html", folder)
    assert "<title>Report of aoti-lint: a&lt;b</title>" in text
    assert "<code>a&lt;b</code>, 1970-01-02, aoti-lint " in text
    assert is_report(text.encode()[:2000])
