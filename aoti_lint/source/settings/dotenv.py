"""`.env` files: one `NAME=value` a line, as python-dotenv and `docker --env-file` read them where they agree."""

from __future__ import annotations

import re

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.regex import regex
from aoti_lint.source.settings.model import Assignment, Settings
from aoti_lint.source.text import Source
from aoti_lint.text.problem import SourceProblem

_REST = regex(r"[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|\Z)")
_NAME = regex(r"[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][\w.-]*)[ \t]*(?P<equals>=[ \t]*)?")
_QUOTED = regex(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""", re.DOTALL)
_LINE = regex(r"[^\r\n]*")
_COMMENT = regex(r"(?<=[ \t])#")
_NEWLINE = regex(r"\r\n?|\n")
_ESCAPE = regex(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'", "$": "$"}


def read_dotenv(source: Source) -> Settings:
    """What a `.env` file sets. Raises `SourceProblem` for a line that is none of its kind."""
    settings, text, position = Settings(source.path), source.text, 0
    to_byte = source.lines.char_to_byte
    while position < len(text):
        end, name = position, _NAME.match(text, position)
        if name is not None:
            end = name.end()
            if name["equals"]:
                end = _end_of_value(text, end)
                span = Span(source.path, to_byte(name.start("name")), to_byte(end))
                settings.set(Assignment(name["name"], _value(text[name.end() : end]), span))
        rest = _REST.match(text, end)
        if rest is None:
            raise SourceProblem(source.path, "this line is no NAME=value", to_byte(position))
        newline = _NEWLINE.match(text, rest.end())
        position = rest.end() if newline is None else newline.end()
    return settings.finish()


def _end_of_value(text: str, start: int) -> int:
    """Where a value ends: with its quote, or else before a comment and the blanks in front of that."""
    if text[start : start + 1] in ("'", '"'):
        quoted = _QUOTED.match(text, start)
        return start if quoted is None else quoted.end()
    line = _LINE.match(text, start)
    value = "" if line is None else line[0]
    comment = _COMMENT.search(value)
    return start + len((value if comment is None else value[: comment.start()]).rstrip())


def _value(written: str) -> str | None:
    """The text that is meant; None where it names other variables."""
    quote = written[:1]
    if len(written) > 1 and quote in "'\"" and written.endswith(quote):
        inner = written[1:-1]
        if quote == "'":
            return re.sub(r"\\(['\\])", r"\1", inner)
        if "$" in inner:
            return None
        return _ESCAPE.sub(lambda m: _ESCAPED.get(m[1], m[0]), inner)
    return None if "$" in written else written
