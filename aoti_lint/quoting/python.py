"""Python: what we write of others into scripts."""

from __future__ import annotations

import math
import pprint
import re
from collections.abc import Iterable
from typing import Any, Final

from aoti_lint.quoting.marked import Marked, commands, hidden, named
from aoti_lint.quoting.terminal import as_it_stands, line

_WIDTH: Final = 110


class Python(Marked):
    """Text that is part of a script."""

    __slots__ = ()


def literal(value: Any) -> Python:
    """A value of Python's own types as it is written."""
    if isinstance(value, float) and not math.isfinite(value):
        return Python(f'float("{value}")')
    return _neutral(repr(str(value) if isinstance(value, Marked) else value))


def shown(value: Any) -> Python:
    """A large value as it is written, in lines for people."""
    return _neutral(pprint.pformat(value, width=_WIDTH, sort_dicts=False))


def string(text: str) -> Python:
    """A text in double quotes, as formatters want it."""
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    inside = "".join(escapes.get(c) or (named(c) if hidden(c) else c) for c in text)
    return _neutral(f'"{inside}"')


def block(text: str) -> Python:
    """A text of several lines as it stands; as one literal where quotation marks cannot hold it."""
    odd = any(line(each) != each for each in text.split("\n"))
    if odd or "'''" in text or text.endswith(("'", "\\")):
        return literal(text)
    return Python(f"r'''{text}'''")


def dotted(text: str) -> Python | None:
    """Names with dots between them, None for what is none."""
    return Python(text) if all(part.isidentifier() for part in text.split(".")) else None


def comment(text: str) -> Python:
    """One line of comment, whatever is in it."""
    return Python(line(f"# {text}").rstrip())


def docstring(lines: Iterable[str]) -> Python:
    """Lines as a docstring, raw where it has a backslash; no text can end it."""
    inside = "\n".join(line(each).replace('"""', "'''").rstrip("\\") for each in lines)
    return Python(f'{"r" if chr(92) in inside else ""}"""{inside}\n"""')


def form(template: str, **values: Python) -> Python:
    """A text of ours with each `@NAME@` replaced; a mark without a value stays."""
    return Python(re.sub(r"@([A-Z]+)@", lambda match: values.get(match[1], match[0]), template))


def frame(text: str, **values: Python) -> Python:
    """A script that is a file of this package, with values for what it has at its top level (`PLAN: Any = {}`)."""
    for name, value in values.items():
        before, found, rest = re.split(rf"(?m)^({name}(?:: \w+)? = ).*$", text, maxsplit=1)
        text = f"{before}{found}{value}{rest}"
    return Python(text)


def generated(text: str) -> Python:
    """A script that a writer of ours put together. Raises `ValueError` where a line of it holds what is obeyed."""
    return Python(as_it_stands(text))


def joined(parts: Iterable[Python], between: str = "") -> Python:
    """Parts with something of ours between them."""
    return Python(between.join(parts))


def _neutral(text: str) -> Python:
    """Source whose strings are no commands of a CI service: `#` stands in strings only."""
    for place in sorted(commands(text), reverse=True) if "##" in text else ():
        text = text[:place] + named(text[place]) + text[place + 1 :]
    return Python(text)
