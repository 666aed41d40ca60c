"""Reads the docstring of a rule: its documentation, and the examples that are its tests."""

from __future__ import annotations

import inspect

from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.lazily.regex import regex

SECTIONS = ("What happens", "Why", "Bad", "Good", "How to debug", "Sources")
EXAMPLE_FILE = "example.py"
_HEADING = regex(rf"({'|'.join(SECTIONS)}):[ \t]*")
_FILE = regex(r"# file: (\S+)[ \t]*")
_ARCHIVE = regex(r"# archive: (\S+)[ \t]*(?:#.*)?")
_TORCH = regex(r"# torch: (\S+)[ \t]*")
_EXPECTED = regex(r"(?:#|//)[ \t]*<-[ \t]*([A-Z]+[0-9]+)[ \t]*$")
_URL = regex(r"https?://[^\s<>)\]]+[^\s<>)\].,;:]")


@dataclass(slots=True)
class Example:
    """A piece of code from a docstring.

    `files` holds text by file name: `example.py`, or what lines `# file: NAME` in the block say. `expected` holds the
    findings written behind lines as `# <- CODE`, or `// <- CODE` in C++: file name, row and code. Lines
    `# archive: NAME` before all files name archives that lie beside them; their findings stand in row 1. A line
    `# torch: VERSION` says what it is checked for.
    """

    files: dict[str, str]
    expected: list[tuple[str, int, str]]
    archives: list[str] = field(default_factory=list)
    torch: str | None = None


@dataclass(slots=True)
class RuleDoc:
    """A rule's docstring in its parts; `prose` holds the sections that are text, by heading."""

    summary: str
    prose: dict[str, str] = field(default_factory=dict)
    bad: list[Example] = field(default_factory=list)
    good: list[Example] = field(default_factory=list)

    @property
    def url(self) -> str | None:
        """The first link among the sources."""
        found = _URL.search(self.prose.get("Sources", ""))
        return found[0] if found else None


def read(docstring: str) -> RuleDoc:
    """Split a rule's docstring. A section that is missing is missing in the result; `Bad` and `Good` may repeat."""
    doc = RuleDoc("")
    heading, lines = "", list[str]()
    for line in [*inspect.cleandoc(docstring).splitlines(), None]:
        match = _HEADING.fullmatch(line) if line is not None else None
        if line is not None and match is None:
            lines.append(line)
            continue
        block = "\n".join(lines).strip("\n")
        if heading == "Bad":
            doc.bad.append(_example(inspect.cleandoc("\n" + block)))
        elif heading == "Good":
            doc.good.append(_example(inspect.cleandoc("\n" + block)))
        elif heading:
            doc.prose[heading] = inspect.cleandoc("\n" + block)
        else:
            doc.summary = block
        heading, lines = (match[1] if match else ""), []
    return doc


def _example(code: str) -> Example:
    example = Example({}, [])
    name, rows = EXAMPLE_FILE, list[str]()
    for line in code.splitlines():
        archive, torch = _ARCHIVE.fullmatch(line), _TORCH.fullmatch(line)
        if archive is not None:
            example.archives.append(archive[1])
            example.expected += [(archive[1], 1, found[1])] if (found := _EXPECTED.search(line)) else []
            continue
        if torch is not None:
            example.torch = torch[1]
            continue
        start = _FILE.fullmatch(line)
        if start is not None:
            if rows:
                example.files[name] = _text(rows)
            name, rows = start[1], []
            continue
        expected = _EXPECTED.search(line)
        rows.append(line)
        if expected is not None:
            example.expected.append((name, len(rows), expected[1]))
    if rows or not example.archives:
        example.files[name] = _text(rows)
    return example


def _text(rows: list[str]) -> str:
    return "\n".join(rows).rstrip("\n") + "\n"
