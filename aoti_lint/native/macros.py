"""`#define`: what macros of a project stand for, one step at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.lazily.regex import regex
from aoti_lint.native.lexical import Text

_DEFINE = regex(
    rb"^[ \t]*\#[ \t]*define[ \t]+(\w+)(?:\(([^()]*)\))?[ \t]*((?:[^\\\n]|\\\r?\n|\\.)*)", re.MULTILINE | re.DOTALL
)
_CONTINUED = regex(rb"\\(\r?\n)")
_TOKEN = regex(rb'"(?:[^"\\]|\\.)*(?:"|\Z)|(?<!\s)\s*##\s*|#\s*(?=[A-Za-z_])|\w+', re.DOTALL)
_NAME = regex(rb"[A-Za-z_]\w*")
REST = b"__VA_ARGS__"


@dataclass(frozen=True, slots=True)
class Define:
    """One `#define`. `params` is None for a macro without brackets; `start` and `end` are its place in its file."""

    name: bytes
    params: tuple[bytes, ...] | None
    body: bytes
    start: int
    end: int

    def expand(self, args: Sequence[bytes]) -> bytes:
        """The body with the arguments in place of the parameters, `#x` in quotes, and `a##b` in one."""
        given: dict[bytes, bytes] = {}
        for index, name in enumerate(self.params or ()):
            if name in (b"...", REST) or name.endswith(b"..."):
                given[REST if name == b"..." else name.removesuffix(b"...").strip()] = b", ".join(args[index:])
            else:
                given[name] = args[index] if index < len(args) else b""
        made: list[bytes] = []
        quote, done = False, 0
        for found in _TOKEN.finditer(self.body):
            token = found[0]
            made.append(self.body[done : found.start()])
            done = found.end()
            if token.strip() == b"##":
                continue
            if token[:1] == b"#":
                quote = True
                continue
            text = given.get(token, token)
            if quote:
                text = b'"' + text.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
            quote = False
            made.append(text)
        return b"".join(made) + self.body[done:]


class Macros:
    """The macros of one file, and those of the other files it may include."""

    def __init__(self, own: Sequence[Define], others: Macros | None = None) -> None:
        self._own: dict[bytes, list[Define]] = {}
        for one in own:
            self._own.setdefault(one.name, []).append(one)
        self._others = others

    def find(self, name: bytes) -> list[Define]:
        """The definitions of a name, several where the arms of an `#if` define it each."""
        return self._own.get(name) or (self._others.find(name) if self._others is not None else [])

    def names(self) -> Iterator[bytes]:
        """The names of all macros."""
        yield from self._own
        if self._others is not None:
            yield from (name for name in self._others.names() if name not in self._own)

    def word(self, name: bytes) -> bytes:
        """What one name stands for, followed through macros that are names themselves."""
        for _ in range(8):
            found = self.find(name)
            if len({one.body.strip() for one in found}) != 1 or found[0].params is not None:
                return name
            body = found[0].body.strip()
            if not _NAME.fullmatch(body):
                return name
            name = body
        return name


def defines(text: Text) -> list[Define]:
    """The macros that a text defines, without those that stand for nothing."""
    found = []
    for one in _DEFINE.finditer(text.masked):
        body = _CONTINUED.sub(rb" \1", text.code[one.start(3) : one.end(3)])
        if body.strip():
            params = None if one[2] is None else tuple(part.strip() for part in one[2].split(b",") if part.strip())
            found.append(Define(one[1], params, body, one.start(), one.end()))
    return found
