"""The site that `scripts/make_site.py` makes, opened in Chromium."""

from __future__ import annotations

import functools
import html
import importlib
import re
import threading
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType

import pytest

from aoti_lint.catalogue.registry import load
from aoti_lint.catalogue.site import page_of
from tests.chromium import shown

pytest.importorskip("zensical", reason="pip install '.[docs]'")
ROOT = Path(__file__).parents[1]
SEARCH = """<img src="/held"><script>
addEventListener("DOMContentLoaded", async () => {
  const all = (from) => [...from.querySelectorAll("*")].flatMap((one) => [one, ...within(one.shadowRoot)]);
  const within = (root) => (root ? all(root) : []);
  const first = async (test) => {
    for (;;) {
      const found = all(document).find(test);
      if (found) return found;
      await new Promise((next) => setTimeout(next, 50));
    }
  };
  (await first((one) => one.matches("button.md-search__button"))).click();
  const input = await first((one) => one.matches("input[role=combobox]"));
  input.value = "WORDS";
  input.dispatchEvent(new InputEvent("input", {bubbles: true, composed: true}));
  const link = await first((one) => one.matches("a") && one.getRootNode() === input.getRootNode());
  document.body.setAttribute("data-found", link.href);
  await fetch("/release");
});
</script>"""
"""Opens the search as a reader does, types, and keeps where the first answer leads. Until then the page is not loaded,
as a picture in it does not come."""


@pytest.fixture(scope="module", name="script")
def _script() -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "scripts")
        yield importlib.import_module("make_site")


@pytest.fixture(scope="module", name="site")
def _site(script: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "made"
    assert script.make(folder) == []
    return folder


class Handler(SimpleHTTPRequestHandler):
    """Serves the site, and with `?search=WORDS` a page that searches."""

    released = threading.Event()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        """Answer."""
        path, _, words = self.path.partition("?search=")
        if path == "/held":
            self.released.wait(60)
            self.send_error(404)
        elif path == "/release":
            self.released.set()
            self.send_error(404)
        elif words:
            page = Path(self.translate_path(path), "index.html").read_text(encoding="utf-8")
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page.replace("</body>", SEARCH.replace("WORDS", words) + "</body>").encode())
        else:
            super().do_GET()


@pytest.fixture(scope="module", name="opened")
def _opened(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """What a browser makes of a page."""
    profile = tmp_path_factory.mktemp("profile")
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def opened(path: str) -> str:
            return shown(f"http://127.0.0.1:{server.server_address[1]}/{path}", profile)

        yield opened
        server.shutdown()


def heading(page: str) -> str:
    """What the first heading of a page says."""
    (found,) = re.findall(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)
    return re.sub(r"<a .*?</a>|<[^>]+>", "", found).strip()


def test_the_first_page_shows_a_report(opened: Callable[[str], str]) -> None:
    page = opened("")
    assert heading(page) == "aoti-lint"
    assert "error[AOTI102]: input is on cpu" in html.unescape(re.sub(r"<[^>]+>", "", page))


def test_a_rule_has_a_page(opened: Callable[[str], str]) -> None:
    page = opened("rules/AOTI301/")
    assert heading(page) == "AOTI301 static-shape-called-with-another"
    assert re.findall(r'<h2 id="([^"]+)"', page) == ["what-happens", "why", "bad", "good", "how-to-debug", "sources"]


@pytest.mark.parametrize(
    ("words", "answer"),
    [("input-on-other-device", "rules/AOTI102/"), ("AOT_INDUCTOR_DEBUG_COMPILE", "docs/settings/")],
)
def test_the_search_finds(opened: Callable[[str], str], words: str, answer: str) -> None:
    Handler.released.clear()
    (found,) = re.findall(r'data-found="([^"]+)"', opened(f"?search={words}"))
    assert re.sub(r"^http://[^/]+/|[?#].*$", "", found) == answer


def test_every_finding_links_to_a_page_that_is_there(
    script: ModuleType, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aoti_lint.catalogue.site.ADDRESS", script.HOME)
    for rule in load():
        address = page_of(rule)
        assert address is not None
        if rule.code.startswith("AOTI"):
            assert (site / address.removeprefix(script.HOME) / "index.html").is_file()


def test_every_block_is_shown_as_one(site: Path) -> None:
    """A first line that the site does not understand makes prose of a block."""
    for source in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        page = site / ("" if source.name == "README.md" else f"docs/{source.stem}") / "index.html"
        blocks = re.findall(r"^```\w", source.read_text(encoding="utf-8"), re.MULTILINE)
        assert page.read_text(encoding="utf-8").count("<pre") == len(blocks), source.name


@pytest.mark.parametrize(
    "link",
    ["[x](docs/gone.md)", "[x](docs/ci.md#gone)", "[x](rules/)", '<a href="docs/ci/#gone">x</a>', "![x](gone.png)"],
)
def test_a_link_that_leads_nowhere_is_told(
    link: str, script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out = script.lay_out

    def with_the_link(folder: Path) -> None:
        lay_out(folder)
        with open(folder / "README.md", "a", encoding="utf-8") as readme:
            readme.write(f"\n{link}\n")

    monkeypatch.setattr(script, "lay_out", with_the_link)
    assert script.make(tmp_path / "made") != []
