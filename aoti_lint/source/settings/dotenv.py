"""`.env` files: one `NAME=value` a line, as python-dotenv and `docker --env-file` read them where they agree."""

from __future__ import annotations

import re

from aoti_lint.diagnostics import Span
from aoti_lint.source.problem import SourceProblem
from aoti_lint.source.settings.model import Assignment, Settings
from aoti_lint.source.text import Source

_LINE = re.compile(
    r"""[ \t]*(?:
        (?:\#[^\r\n]*)?
      | (?:export[ \t]+)?(?P<name>[A-Za-z_][\w.-]*)[ \t]*
        (?:=[ \t]*(?P<value>'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | [^\r\n]*?) )?
        [ \t]*(?:(?<=[ \t'"])\#[^\r\n]*)?
    )[ \t]*(?=[\r\n]|\Z)""",
    re.VERBOSE | re.DOTALL,
)
_NEWLINE = re.compile(r"\r\n?|\n")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"', "'": "'", "$": "$"}


def read_dotenv(source: Source) -> Settings:
    """What a `.env` file sets. Raises `SourceProblem` for a line that is none of its kind."""
    settings, text, position = Settings(source.path), source.text, 0
    char_to_byte = source.lines.char_to_byte
    while position < len(text):
        match = _LINE.match(text, position)
        if match is None:
            raise SourceProblem(source.path, "this line is no NAME=value", char_to_byte(position))
        if match["value"] is not None:
            span = Span(source.path, char_to_byte(match.start("name")), char_to_byte(match.end("value")))
            settings.set(Assignment(match["name"], _value(match["value"]), span))
        newline = _NEWLINE.match(text, match.end())
        position = match.end() if newline is None else newline.end()
    return settings.finish()


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
