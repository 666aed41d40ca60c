"""Words of the shell: the text they stand for, as far as it is known without running anything."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from aoti_lint.lazily.regex import regex

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

_UNQUOTED = regex(rb"\\(\n|.)", re.DOTALL)
_QUOTED = regex(rb"\\([$`\"\\\n])")
HERE = "\ue000"
"""Stands for the folder of the file itself: a character nobody uses."""
USUAL = "\ue001"
"""Stands in front of a text that counts where nothing else is set."""
_SELF = r"(?:\"?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?(?::-\$0)?\})\"?)"
_SELF = rf"(?:{_SELF}|\"?\$\(\s*(?:readlink\s+-f|realpath)\s+(?:--\s+)?{_SELF}\s*\)\"?)"
_FOLDER = rf"dirname\s+(?:--\s+)?{_SELF}"
_CD = rf"cd\s+(?:--\s+|-P\s+)?\"?\$\(\s*{_FOLDER}\s*\)(?P<further>[/.\w-]*)\"?"
_OWN_FOLDER = regex(
    rf"(?:\$\(|`)\s*(?:{_FOLDER}|{_CD}\s*(?:&?>\s*/dev/null\s*)?(?:2>&1\s*)?(?:&&|;)\s*pwd(?:\s+-P)?)\s*[)`]"
)
_NAME = regex(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
DEFAULT = regex(r"\$\{(\w+)(:?)([-=])([^${}`\\]*)\}")
"""A variable, with what stands for it where it is not set; behind a colon, also where it is empty."""

MAX_VALUE = 1 << 17
"""Characters of a value; Linux gives no program a longer one (`MAX_ARG_STRLEN`). `A=$A$A` soon has more."""

Names = Mapping[str, str | None]
"""The values of the shell's variables; one that is None, or not there, is not known."""


@cache
def _parser() -> Parser:
    # Takes 20 ms to load, and only runs that name such a file need it.
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


def parse(data: bytes) -> Tree:
    """The syntax tree of UTF-8 text in the language of `bash`; what is not understood is an ERROR node in it."""
    return _parser().parse(data)


def raw(node: Node) -> bytes:
    """The bytes of a node."""
    return node.text or b""


def text_of(node: Node, names: Names) -> str | None:
    """What a word, a string or an expansion stands for; None where that is not known."""
    match node.type:
        case "word" | "number" | "variable_name" | "command_name" if not node.named_children:
            written = raw(node)
            if written.startswith(b"~"):
                return None
            return _decode(_UNQUOTED.sub(lambda m: b"" if m[1] == b"\n" else m[1], written))
        case "command_name":
            return text_of(node.named_children[0], names)
        case "raw_string":
            return _decode(raw(node)[1:-1])
        case "ansi_c_string":
            inner = raw(node)[2:-1]
            return None if b"\\" in inner else _decode(inner)
        case "string":
            return _joined(node, names, 1, lambda text: _QUOTED.sub(lambda m: b"" if m[1] == b"\n" else m[1], text))
        case "concatenation":
            return _joined(node, names, 0, lambda text: text)
        case "simple_expansion" | "expansion":
            if raw(node) in (b"${0%/*}", b"${BASH_SOURCE%/*}", b"${BASH_SOURCE[0]%/*}"):
                return HERE
            text = _decode(raw(node)) or ""
            if (match := _NAME.fullmatch(text)) is not None:
                return names.get(match[1] or match[2])
            return None if (default := DEFAULT.fullmatch(text)) is None else or_default(default, names)
        case "command_substitution":
            own = _OWN_FOLDER.fullmatch(_decode(raw(node)) or "")
            return None if own is None else HERE + (own["further"] or "")
    return None


def or_default(found: re.Match[str], names: Names) -> str | None:
    """What `DEFAULT` stands for: a variable that the script does not set is not set for it, as usual."""
    value = names.get(found[1], "" if found[2] else None)
    if found[1] in names and (value is None or value or not found[2]):
        return value
    return USUAL + found[4].strip("\"'")


def _joined(node: Node, names: Names, quote: int, plain: Callable[[bytes], bytes]) -> str | None:
    """The parts of a node one after the other: what stands between those we know is literal text."""
    data, base = raw(node), node.start_byte
    position, parts = quote, []
    for child in node.named_children:
        if child.type == "string_content":
            continue
        parts.append(_decode(plain(data[position : child.start_byte - base])))
        parts.append(text_of(child, names))
        position = child.end_byte - base
    parts.append(_decode(plain(data[position : len(data) - quote])))
    return joined(parts)


def joined(parts: Sequence[str | None]) -> str | None:
    """The parts as one value; None where one is not known, or where it is longer than values are."""
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or sum(map(len, known)) > MAX_VALUE:
        return None
    return "".join(known)


def _decode(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None
