"""`TORCH_LIBRARY(ns, m) { … }` and its kin: where the blocks are, and for which namespace and dispatch key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass, replace
from aoti_lint.lazily.regex import regex
from aoti_lint.native.lexical import Text
from aoti_lint.native.macros import Define, Macros
from aoti_lint.native.model import ANY_KEY, UNKNOWN

LIBRARY = regex(rb"\b(?:STABLE_)?TORCH_LIBRARY(_FRAGMENT|_IMPL)?(?:_EXPAND)?\s*\(")
_OPERATORS = regex(rb"\b(?:torch|c10)\s*::\s*RegisterOperators\b\s*(?:\(\s*\)|\{\s*\})")
_NAME = regex(rb"[A-Za-z_]\w*")
BUILT = b"TORCH_EXTENSION_NAME"
"""The name the build gives; a file may define it for others that it is not built with."""
MAX_EXPANSIONS = 400
"""Macro calls expanded in one file."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of registrations: from `start` to `end` of `text`, which is that of the file unless a macro made it.

    `place` is where the macro stands in the file then, None for a block in the file itself. `head` is where it begins
    in `text`; `only`: a process has no other of this namespace (`TORCH_LIBRARY`).
    """

    text: Text
    start: int
    end: int
    namespace: str
    key: str
    variable: bytes
    is_impl: bool
    place: Span | None
    head: int = 0
    only: bool = False

    def conditional(self, index: int) -> bool:
        """Whether some builds may leave out what stands at `index` of the text."""
        return self.place is not None or self.text.conditional(index)


def blocks(text: Text, path: str, macros: Macros, own: Sequence[Define]) -> Iterator[Block]:
    """The blocks of a file; `own` are the macros that it defines."""
    yield from _in_text(text, macros, [(one.start, one.end) for one in own], None)
    for found in _OPERATORS.finditer(text.masked):
        # `torch::RegisterOperators().op(…).op(…);`
        end = text.masked.find(b";", found.end())
        if end >= 0:
            yield Block(text, found.start(), end, UNKNOWN, ANY_KEY, found[0], False, None)
    wrappers = [
        name
        for name in macros.names()
        if not LIBRARY.fullmatch(name + b"(") and any(LIBRARY.search(one.body + b"(") for one in macros.find(name))
    ]
    if not wrappers:
        return
    pattern = re.compile(rb"\b(" + b"|".join(map(re.escape, wrappers)) + rb")\s*\(")
    done = 0
    for found, start, end in text.calls(pattern):
        if any(one.start <= found.start() < one.end for one in own):
            continue
        args = text.split(start + 1, end)
        for define in macros.find(found[1]):
            done += 1
            if done > MAX_EXPANSIONS:
                return
            called = b"" if define.params is not None else b"(" + b", ".join(args) + b")"
            made = Text(define.expand(args) + called)
            place = Span(path, found.start(), end + 1)
            if b"{" in made.masked:
                yield from _in_text(made, macros, (), place)
                continue
            for one, inner, close in made.calls(LIBRARY):
                block = _block(text, end, macros, one[1], made.split(inner + 1, close), None)
                if block is not None:
                    yield replace(block, head=found.start())


def _in_text(text: Text, macros: Macros, besides: Sequence[tuple[int, int]], place: Span | None) -> Iterator[Block]:
    for found, start, end in text.calls(LIBRARY):
        if any(first <= found.start() < last for first, last in besides):
            continue
        block = _block(text, end, macros, found[1], text.split(start + 1, end), place)
        if block is not None:
            yield replace(block, head=found.start(), only=found[1] is None)


def _block(
    text: Text, end: int, macros: Macros, kind: bytes | None, args: list[bytes], place: Span | None
) -> Block | None:
    """The block that follows a macro which closes at `end`; None for a mere declaration."""
    is_impl = kind == b"_IMPL"
    start = text.after(end + 1)
    if len(args) != (3 if is_impl else 2) or text.masked[start : start + 1] != b"{":
        return None
    close = text.closing(start)
    if close is None:
        return None
    key = key_name(macros, args[1]) if is_impl else ANY_KEY
    return Block(text, start + 1, close, namespace_name(macros, args[0]), key, args[-1], is_impl, place)


def namespace_name(macros: Macros, written: bytes) -> str:
    """The namespace an argument names: `?` for one that the build decides, such as `TORCH_EXTENSION_NAME`."""
    word = written if written == BUILT else macros.word(written)
    if not _NAME.fullmatch(word) or (word.isupper() and len(word) > 2):
        return UNKNOWN
    return word.decode()


def key_name(macros: Macros, written: bytes) -> str:
    """The dispatch key an argument names."""
    word = macros.word(written)
    if not _NAME.fullmatch(word) or (word.isupper() and word not in _KEYS):
        return UNKNOWN
    return "CompositeImplicitAutograd" if word == b"CatchAll" else word.decode()


_KEYS = frozenset({b"CPU", b"CUDA", b"HIP", b"XLA", b"MPS", b"IPU", b"XPU", b"HPU", b"VE", b"MTIA", b"MAIA", b"FPGA"})
"""Dispatch keys in capital letters (`c10/core/DispatchKey.h` of release 2.13.0)."""
