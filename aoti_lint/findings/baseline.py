"""A baseline: findings that stood already, which are not told again and do not make a run fail.

It is a file of lines, which git merges well: the first says what it is, each other one is a finding. They are in the
order of files, rules and texts, so that a finding that only moves changes no line. A finding is known by its
fingerprint; the rest of its line is for people.
"""

from __future__ import annotations

from aoti_lint.errors import CannotRun
from aoti_lint.files.formats import Malformed, parse_json
from aoti_lint.files.near import cannot_open
from aoti_lint.files.opener import GENERATED, read_file
from aoti_lint.quoting.json import lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from aoti_lint.diagnostics import Diagnostic
    from aoti_lint.quoting.json import Json

FORMAT = "aoti-lint-baseline/1"
_KIND = b'"aoti-lint-baseline/'
_HEAD = 100
"""Bytes in which a file says that it is a baseline."""
MOST_TEXT = 120
"""Characters of a line that are kept for its readers."""


class Entry:
    """A finding that stood: `path` is relative to the project root, `line` the text it stands in."""

    __slots__ = ("code", "fingerprint", "line", "path")

    def __init__(self, path: str, code: str, line: str, fingerprint: str) -> None:
        self.path, self.code, self.line, self.fingerprint = path, code, line, fingerprint

    def key(self) -> tuple[str, ...]:
        """All it says, in the order it is sorted by."""
        return self.path, self.code, self.line, self.fingerprint


class Baseline:
    """The entries of a baseline; `path` is that of its file, which need not be there yet."""

    def __init__(self, path: str, entries: Iterable[Entry] = (), *, is_there: bool = True) -> None:
        self.path, self.is_there = path, is_there
        self.entries = {entry.fingerprint: entry for entry in entries}


def fingerprints(finding: Diagnostic) -> set[str]:
    """What a finding is known by, in its file and in the copies of that."""
    return {finding.fingerprint, *(one for _, one in finding.copies)}


def entries_of(finding: Diagnostic, line_at: Callable[[str, int], str]) -> list[Entry]:
    """The entries of a finding: at the place that it is about, wherever it is told, and one for each copy of the file.

    `line_at` reads a line.
    """
    span = finding.about or finding.span
    text = " ".join(line_at(span.path, span.start).split())
    places = [(span.path, finding.fingerprint), *finding.copies]
    return [Entry(path, finding.code, text[:MOST_TEXT], one) for path, one in places]


def is_baseline(head: bytes) -> bool:
    """Whether a file that begins so is a baseline."""
    return _KIND in head[:_HEAD]


def read(path: str) -> Baseline:
    """The baseline in a file; without entries where there is no such file, or an empty one.

    Raises `CannotRun` for a file that is something else, or cannot be read.
    """
    try:
        data = read_file(path, GENERATED)
    except FileNotFoundError:
        return Baseline(path, is_there=False)
    except OSError as error:
        raise cannot_open(path, error) from None
    lines = data.splitlines()
    if not lines:
        return Baseline(path)
    head = _object(lines[0])
    if head is None or not is_baseline(data):
        raise CannotRun(f"{path}: this is no baseline: nothing in its first line says so")
    if head.get("format") != FORMAT:
        raise CannotRun(f"{path}: this baseline is {head.get('format')}, and this aoti-lint knows {FORMAT}")
    return Baseline(path, (_entry(line, f"{path}:{row}") for row, line in enumerate(lines[1:], 2) if line.strip()))


def written(entries: Iterable[Entry]) -> Json:
    """The file of these entries."""
    names = ("path", "code", "line", "fingerprint")
    said = [dict(zip(names, key, strict=True)) for key in sorted(entry.key() for entry in entries)]
    return lines([{"format": FORMAT}, *said])


def _entry(line: bytes, where: str) -> Entry:
    if line.startswith((b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")):
        raise CannotRun(f"{where}: a merge was left unfinished here; keep the lines of both sides")
    found = _object(line)
    words = [None] if found is None else [found.get(name) for name in ("path", "code", "line", "fingerprint")]
    if not all(isinstance(word, str) for word in words):
        raise CannotRun(f"{where}: this is no entry of a baseline")
    return Entry(*map(str, words))


def _object(line: bytes) -> dict[str, object] | None:
    try:
        found = parse_json(line)
    except Malformed:
        return None
    return found if isinstance(found, dict) else None
