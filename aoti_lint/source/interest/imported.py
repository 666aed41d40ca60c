"""The imports of a file as its text says them, before it is parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aoti_lint.lazily.regex import regex

IMPORT = regex(
    rb"(?:^|;)[ \t]*(?:from[ \t]+(?P<dots>\.*)[ \t]*(?P<module>(?:\w[\w.]*)?)[ \t]+import[ \t]*"
    rb"(?P<names>\((?:[^()#]|#[^\r\n]*)*\)|(?:[^\r\n\\#;]|\\\r?\n)+)"
    rb"|import[ \t]+(?P<modules>(?:[^\r\n\\#;]|\\\r?\n)+))",
    re.MULTILINE,
)
"""An import statement in the bytes of a file, without the work of parsing it."""
_COMMENT = regex(rb"#[^\r\n]*")
_NAMES = regex(r"([\w.]+|\*)(?:\s+as\s+(\w+))?")
MAX_HELPERS = 2
"""Through how many files' functions, one using the other, a script that matters may lead to what matters.

A script uses a helper that uses a helper that exports. What is further away is how large projects are tied together.
"""
OP, AROUND_OP = 100, 101
"""The distance of a custom op, and of what calls one, where nothing else in it matters."""
MEMBER = "."
"""Between a class and the name of what its objects have, where that leads to what matters."""


def pairs(names: bytes) -> Iterator[tuple[str, str | None]]:
    """Each name and its `as` name in the list of an import statement."""
    text = _COMMENT.sub(b"", names).decode("utf-8", "ignore").replace("\\", " ")
    for name, alias in _NAMES.findall(text):
        yield name, alias or None
