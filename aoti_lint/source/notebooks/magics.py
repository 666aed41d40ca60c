"""IPython's own syntax in a cell, turned into Python of the same length in bytes.

A magic, shell command or help request becomes the name `_` (the last output: nothing is known of it) and a comment, so
that blocks stay blocks and assignments stay assignments. Cells in another language become comments.
"""

from __future__ import annotations

import re
import warnings

from aoti_lint.lazily.regex import regex

# Cell magics whose cell is Python all the same.
_PYTHON_CELLS = frozenset({"capture", "debug", "ipytest", "prun", "pypy", "python", "python3", "time", "timeit"})

# Line magics that a cell of one line may call without a sign before them, as IPython does by default.
_AUTOMAGIC = regex(
    r"(?:cat|cd|clear|conda|config|cp|env|hist|history|less|ll|load|load_ext|ls|man|matplotlib|mkdir|more|mv"
    r"|pip|popd|pushd|pwd|reload_ext|rm|rmdir|run|set_env|store|time|timeit|uv|who|whos)[^\S\n]+\S[^\n]*\n?\Z"
)
_SUSPECT = regex(r"^[^\S\n]*[%!?/,;]|\?[^\S\n]*(?:#.*)?$|=[^\S\n]*[%!]", re.MULTILINE)
_STATEMENT = regex(r"\s*(?=[%!?/,;])")
_HELP = regex(r"\s*(?=[\w.%*\[\]]+\?\??\s*$)")
_ASSIGNMENT = regex(r"\s*(?=\S)[\w.\[\], *]+=\s*(?=[%!])")
_CELL_MAGIC = regex(r"\s*%%(\w*)")

# What of a line of Python decides whether the next one begins a statement.
_TOKEN = regex(
    r"""(?P<open>[(\[{]) | (?P<close>[)\]}]) | (?P<comment>\#) | (?P<triple>\"{3}|'{3})
    | "(?:\\.|[^"\\])*(?:"|\\?$) | '(?:\\.|[^'\\])*(?:'|\\?$) """,
    re.VERBOSE,
)
_ENDS = {'"""': re.compile(r'(?:\\.|[^\\])*?"""'), "'''": re.compile(r"(?:\\.|[^\\])*?'''")}


def neutralise(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Make the text of a cell Python.

    Gives the new text, of the same number of lines and bytes, and the changed lines as pairs (new, old).
    """
    if _AUTOMAGIC.match(text) and not _is_python(text):
        made = _placeholder(text)
        return made, [(made.removesuffix("\n"), text.removesuffix("\n"))]
    if not _SUSPECT.search(text):
        return text, []
    lines = text.split("\n")
    is_python = _holds_python(lines)
    scanner = _Scanner()
    done: list[str] = []
    in_magic = False
    for line in lines:
        if not is_python:
            done.append(_commented(line))
        elif in_magic:
            in_magic = line.endswith("\\")
            done.append(_commented(line))
        elif scanner.at_statement and (start := _magic_start(line)) is not None:
            in_magic = line.endswith("\\")
            done.append(line[:start] + _placeholder(line[start:]))
        else:
            scanner.feed(line)
            done.append(line)
    changed = [(new, old) for new, old in zip(done, lines, strict=True) if new != old]
    return "\n".join(done), changed


def _holds_python(lines: list[str]) -> bool:
    """Whether the first cell magic, if the cell begins with any, leaves its cell Python, and those below it do.

    One magic may run its cell through another one (`%%capture` above `%%bash`). Below a comment IPython knows none, but
    Colab's do stand there: what follows is no Python either way.
    """
    for line in lines:
        magic = _CELL_MAGIC.match(line)
        if magic is not None and magic[1] not in _PYTHON_CELLS:
            return False
        if magic is None and line.strip() and not line.lstrip().startswith("#"):
            break
    return True


class _Scanner:
    """Follows strings, brackets and continued lines just far enough to know where statements begin."""

    def __init__(self) -> None:
        self._depth = 0
        self._quote = ""
        self._continued = False

    @property
    def at_statement(self) -> bool:
        """Whether the next line begins a statement."""
        return not (self._depth or self._quote or self._continued)

    def feed(self, line: str) -> None:
        """Take in one line of Python."""
        position = 0
        comment = False
        while position < len(line) and not comment:
            if self._quote:
                end = _ENDS[self._quote].match(line, position)
                if end is None:
                    return
                self._quote = ""
                position = end.end()
                continue
            token = _TOKEN.search(line, position)
            if token is None:
                break
            position = token.end()
            if token["open"]:
                self._depth += 1
            elif token["close"]:
                self._depth = max(0, self._depth - 1)
            elif token["triple"]:
                self._quote = token["triple"]
            comment = token["comment"] is not None
        self._continued = not comment and not self._quote and line.endswith("\\")


def _is_python(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<cell>", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _magic_start(line: str) -> int | None:
    """Where the magic of a line that begins a statement starts."""
    for form in (_STATEMENT, _ASSIGNMENT, _HELP):
        found = form.match(line)
        if found:
            return found.end()
    return None


def _placeholder(magic: str) -> str:
    """`_` and a comment, as long in bytes as `magic`."""
    head = "_".ljust(len(magic[:2].encode("utf-8", "surrogatepass")), "#")
    return head + magic[2:]


def _commented(line: str) -> str:
    """`line` as a comment of the same length in bytes."""
    return "#" * len(line[:1].encode("utf-8", "surrogatepass")) + line[1:]
