"""Suppression comments: `# aoti-lint: ignore[RULE]`, `# aoti-lint: ignore-file[RULE]` and `# noqa: CODE`.

A comment counts on any row of the statement in which one end of a finding starts. A bare `# noqa` is other linters'
business and says nothing here; a bare `# aoti-lint: ignore` is refused (`AOTI003`), and what suppresses nothing is said
so (`AOTI001`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from aoti_lint.catalogue.registry import Registry
from aoti_lint.diagnostics import Confidence, Diagnostic, Outcome, Severity, Span
from aoti_lint.findings.logical import Comment, LogicalLines, PlainLines
from aoti_lint.lazily.regex import regex
from aoti_lint.source.text import Source

UNUSED = "AOTI001"
MALFORMED = "AOTI003"

MAX_WORDS = 200
"""Rules that one comment may name; there are fewer."""
MAX_GUESSES = 100
"""Words of one file for which the rule that may be meant is looked for, which takes milliseconds each."""

_OURS = regex(r"(?:#|//)\s*aoti-lint\s*:\s*([\w-]*)\s*(\[([^\[\]]*)\])?", re.IGNORECASE)
_NOQA = regex(r"(?:#|//)\s*noqa\s*:\s*([A-Z]+[0-9]+(?:[,\s]+[A-Z]+[0-9]+)*)", re.IGNORECASE)
_WORD = regex(r"[^\s,]+")
_REASON = regex(r"(?:(?!(?:\s+|(?<=\]))(?:#|//)\s*[a-zA-Z]|\s*$).)*")
"""What stands behind a comment of ours, up to the end or the comment of another tool."""


def mentioned(data: bytes, registry: Registry) -> bool:
    """Whether the bytes of a file may hold a comment that means something here, before its comments are looked for."""
    text = data.decode("latin-1")
    return _OURS.search(text) is not None or any(
        _is_ours(word[0].upper(), registry) for found in _NOQA.finditer(text) for word in _WORD.finditer(found[1])
    )


def _is_ours(code: str, registry: Registry) -> bool:
    return code in registry.names or code.startswith("AOTI")


def lists(comment: str) -> Iterator[tuple[int, str, int]]:
    """The lists of rules in a comment that may be added to: where each ends, the reason behind it, where that ends."""
    for match in _OURS.finditer(comment):
        if match[1].lower() == "ignore" and (match[3] or "").strip():
            reason = (_REASON.match(comment, match.end()) or match)[0]
            yield match.end(3), reason, match.end() + len(reason)


class _Suppression:
    """One rule named by one comment, on the rows that it speaks of; `file_wide` ones count everywhere in the file."""

    __slots__ = ("code", "column", "file_wide", "rows", "word")

    def __init__(self, code: str, word: str, rows: range, column: int, *, file_wide: bool) -> None:
        self.code, self.word, self.rows, self.column, self.file_wide = code, word, rows, column, file_wide

    @property
    def key(self) -> tuple[str, int]:
        """Where findings look for it: by its rule and the last of its rows, 0 for the whole file."""
        return self.code, 0 if self.file_wide else self.rows[-1]

    @property
    def first(self) -> int:
        """The first row it counts on."""
        return 0 if self.file_wide else self.rows[0]


class Suppressions:
    """The suppression comments of one source."""

    def __init__(self, source: Source, logical: LogicalLines | PlainLines, registry: Registry) -> None:
        self._source, self._logical, self._registry = source, logical, registry
        self._all: list[tuple[_Suppression, Comment]] = []
        # Findings and comments may both be many: neither is compared with each of the other.
        self._first: dict[tuple[str, int], int] = {}
        self._used: dict[tuple[str, int], int] = {}
        self._guesses: dict[str, str] = {}
        self.malformed: list[Diagnostic] = []
        """A finding for each comment that cannot mean anything."""
        for comment in logical.comments:
            named = self._named(comment)
            for word, index, file_wide in islice(named, MAX_WORDS):
                self._add(comment, word, index, file_wide=file_wide)
            for word, index, _ in islice(named, 1):
                message = f"a comment may name {MAX_WORDS} rules: this one and what follows is not read"
                help = "name a family (`AOTI1`) in `ignore` or `per-file-ignores` of the configuration"
                column = comment.column + index
                self.malformed.append(self._diagnostic(MALFORMED, comment, column, word, message, help))

    def hides(self, code: str, offset: int) -> bool:
        """Whether a comment suppresses a finding of this rule in the statement at this offset; it is of use then."""
        row, _ = self._source.lines.position(offset)
        hit = False
        for last in (0, self._logical.rows(row)[-1]):
            key = code, last
            first = self._first.get(key)
            if first is not None and first <= row:
                hit = True
                self._used[key] = max(self._used.get(key, 0), row)
        return hit

    def unused(self, enabled: frozenset[str]) -> list[Diagnostic]:
        """A finding for each suppression of an enabled rule that suppressed nothing so far."""
        return [
            self._diagnostic(
                UNUSED,
                comment,
                item.column,
                item.word,
                f"no {self._registry.names[item.code]} finding ({item.code}) "
                + ("in this file" if item.file_wide else "in this statement")
                + " needs to be suppressed",
                "remove it, so that a new finding will be seen",
            )
            for item, comment in self._all
            if self._used.get(item.key, -1) < item.first and item.code in enabled and item.code != UNUSED
        ]

    def _named(self, comment: Comment) -> Iterator[tuple[str, int, bool]]:
        """The words of a comment that name rules, each with its index and whether the whole file is meant."""
        for match in islice(_OURS.finditer(comment.text), MAX_WORDS):
            verb = match[1].lower()
            if verb not in ("ignore", "ignore-file"):
                self._refuse(comment, match, f"{match[1]!r} is no suppression" if verb else "this suppresses nothing")
            elif match[3] is None or not match[3].strip():
                self._refuse(comment, match, "a suppression must name its rules")
            else:
                for word in _WORD.finditer(match[3]):
                    yield word[0], match.start(3) + word.start(), verb == "ignore-file"
        for match in _NOQA.finditer(comment.text):
            for word in _WORD.finditer(match[1]):
                if _is_ours(code := word[0].upper(), self._registry):
                    yield code, match.start(1) + word.start(), False

    def _add(self, comment: Comment, word: str, index: int, *, file_wide: bool) -> None:
        code = self._registry.code_of(word)
        column = comment.column + index
        if code is None:
            message = f"there is no rule {word!r}{self._near(word)}"
            self.malformed.append(self._diagnostic(MALFORMED, comment, column, word, message, ""))
            return
        rows = self._logical.rows(comment.row)
        made = _Suppression(code, word, rows, column, file_wide=file_wide)
        self._all.append((made, comment))
        self._first[made.key] = min(self._first.get(made.key, made.first), made.first)

    def _near(self, word: str) -> str:
        """The rule that may be meant, in the words of a message."""
        if word not in self._guesses:
            self._guesses[word] = self._registry.near(word) if len(self._guesses) < MAX_GUESSES else ""
        return self._guesses[word]

    def _refuse(self, comment: Comment, match: re.Match[str], message: str) -> None:
        self.malformed.append(
            self._diagnostic(
                MALFORMED,
                comment,
                comment.column + match.start(),
                match[0].rstrip(),
                message,
                "write `# aoti-lint: ignore[RULE]` or `# aoti-lint: ignore-file[RULE]`, with a code or a name",
            )
        )

    def _diagnostic(self, code: str, comment: Comment, column: int, text: str, message: str, help: str) -> Diagnostic:
        start = self._source.lines.offset(comment.row, column)
        end = self._source.lines.offset(comment.row, column + len(text))
        return Diagnostic(
            code=code,
            name=self._registry.names[code],
            severity=Severity.WARNING,
            confidence=Confidence.CERTAIN,
            outcome=Outcome.NO_EFFECT,
            message=message,
            span=Span(self._source.path, start, end),
            help=help,
        )
