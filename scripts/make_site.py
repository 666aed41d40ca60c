"""Makes the site: the pages of this repository, one for each rule, and a search.

    python scripts/make_site.py

It is written to `site`. Needs `pip install '.[docs]'`. Pages keep the places that they have in the repository, so links
between them are the same there and here. A link to a page, file or heading that is not there fails, and so does
whatever Zensical warns of.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import yaml

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import make_rule_table  # noqa: E402

from aoti_lint.catalogue.registry import load  # noqa: E402
from aoti_lint.catalogue.site import ADDRESS  # noqa: E402
from aoti_lint.cli.explain.entries import entry  # noqa: E402
from aoti_lint.cli.explain.markdown import page  # noqa: E402
from aoti_lint.rerun.plan.symptoms import SYMPTOMS  # noqa: E402

GUIDES = (
    "check", "artefact", "failure", "map", "ci", "formats", "editor", "monorepo", "upgrade", "configuration", "limits",
)  # fmt: skip
"""Pages of `docs/` in the order in which they are offered; others follow."""
ELSEWHERE = ("rules", "settings", "rule_interface")
"""Pages of `docs/` that are no guides."""
PROJECT = (
    "CONTRIBUTING.md", "docs/rule_interface.md", "tests/packaging/example_rule/README.md", "tests/proof/README.md",
    "ARCHITECTURE.md", "SECURITY.md", "CHANGELOG.md",
)  # fmt: skip
FENCE = re.compile(r"^```(\w+) (?:file=)?(\S+)$", re.MULTILINE)
WIDE = ".md-grid { max-width: 78rem }\n"
"""Lines of reports are longer than those of prose."""
HOME = ADDRESS or "http://localhost/"
"""Where the site believes that it is: before anybody has said where, links inside of it are checked all the same."""
PAGES, MADE = "pages", "made"
"""Folders beside the settings, while the site is made."""
SYMPTOM_PAGES = ("docs/rerun/README.md", *(f"docs/rerun/{name}.md" for name in SYMPTOMS))


def lay_out(folder: Path) -> None:
    """Put all pages into a folder, as Markdown."""
    copied = [
        "README.md",
        "LICENSE",
        *PROJECT,
        *SYMPTOM_PAGES,
        *(f"docs/{name}.md" for name in (*guides(), "settings")),
    ]
    for name in copied:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        text = (ROOT / name).read_text(encoding="utf-8")
        (folder / name).write_text(FENCE.sub(_fence, text), encoding="utf-8")
    (folder / "wide.css").write_text(WIDE, encoding="utf-8")
    (folder / "rules").mkdir()
    for rule in load():
        text = "\n".join(page(entry(rule, "")))
        (folder / "rules" / f"{rule.code}.md").write_text(f"{text}\n", encoding="utf-8")
    table = make_rule_table.page(lambda rule: f"../rules/{rule.code}.md")
    (folder / "docs" / "rules.md").write_text(table, encoding="utf-8")


def _fence(found: re.Match[str]) -> str:
    """The first line of a block: the file that it is, as a title."""
    return f'```{found[1]} title="{found[2]}"' if "." in found[2] else f"```{found[1]}"


def guides() -> list[str]:
    """The names of all guides."""
    there = sorted(path.stem for path in (ROOT / "docs").glob("*.md") if path.stem not in ELSEWHERE)
    return [*GUIDES, *(name for name in there if name not in GUIDES)]


def settings() -> dict[str, Any]:
    """What Zensical is told, in the format of MkDocs."""
    rules: list[Any] = ["docs/rules.md"]
    for family, title in make_rule_table.FAMILIES.items():
        rules.append({title.replace("`", ""): [f"rules/{rule.code}.md" for rule in make_rule_table.of_family(family)]})
    return {
        "site_name": "aoti-lint",
        "site_description": "Finds the mistakes in PyTorch export and AOTInductor scripts before they are run",
        "site_url": HOME,
        "docs_dir": PAGES,
        "site_dir": MADE,
        "theme": {
            "name": "material",
            "font": False,  # nothing is asked of other servers
            "features": ["content.code.copy", "navigation.tracking", "navigation.top", "search.highlight"],
            "palette": [
                {"media": f"(prefers-color-scheme: {one})", "scheme": scheme, "toggle": {"icon": icon, "name": other}}
                for one, scheme, icon, other in (
                    ("light", "default", "lucide/sun", "Dark"),
                    ("dark", "slate", "lucide/moon", "Light"),
                )
            ],
        },
        "extra_css": ["wide.css"],
        "markdown_extensions": [
            "tables", "md_in_html", "pymdownx.superfences", "pymdownx.highlight", "pymdownx.magiclink",
            {"toc": {"permalink": True}},
        ],
        "nav": [
            {"Start": "README.md"},
            {"Guides": [*(f"docs/{name}.md" for name in guides()), {"Symptoms": [*SYMPTOM_PAGES]}]},
            {"Rules": rules},
            {"Settings": "docs/settings.md"},
            {"Project": [*PROJECT]},
        ],
    }  # fmt: skip


class Page(HTMLParser):
    """The links of a page, and the places in it that links may lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places = {"", "__skip"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag has."""
        for name, value in attrs:
            if name == "id" or (name == "name" and tag == "a"):
                self.places.add(value or "")
            elif name in ("href", "src") and value:
                self.links.append(value)


def broken(made: Path) -> Iterator[str]:
    """The links inside of a site that lead nowhere, each with its page."""
    pages = {path.relative_to(made).as_posix(): Page(path.read_text(encoding="utf-8")) for path in made.rglob("*.html")}
    home = urlsplit(HOME)
    for name, one in sorted(pages.items()):
        for link in one.links:
            # That page is shown for any address.
            there = urlsplit(urljoin(HOME if name == "404.html" else HOME + name, link))
            if there[:2] != home[:2]:
                continue
            path = unquote(there.path.removeprefix(home.path))
            path += "index.html" if path.endswith("/") or not path else ""
            target = pages.get(path)
            if not (made / path).is_file() or (target and unquote(there.fragment) not in target.places):
                yield f"{name}: {link}"


def make(folder: Path) -> list[str]:
    """Make the site in a folder that is not there yet; gives what is wrong with it."""
    with tempfile.TemporaryDirectory() as work:
        lay_out(Path(work, PAGES))
        Path(work, "mkdocs.yml").write_text(yaml.safe_dump(settings()), encoding="utf-8")
        command = [sys.executable, "-m", "zensical", "build", "--strict"]
        done = subprocess.run(command, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            return [done.stdout]
        shutil.move(Path(work, MADE), folder)
    return [*broken(folder)]


def main() -> int:
    """Make the site again."""
    folder = ROOT / "site"
    shutil.rmtree(folder, ignore_errors=True)
    wrong = make(folder)
    for line in wrong:
        print(line, file=sys.stderr)
    if not wrong:
        print(folder / "index.html")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
