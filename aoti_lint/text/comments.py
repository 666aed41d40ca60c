"""Comments that stand alone in their rows."""

from __future__ import annotations

import re

from aoti_lint.lazily.regex import regex

_ALONE = regex(r"^[ \t]*#.*$", re.MULTILINE)
_SPACES = dict.fromkeys(range(0x21, 0x7F), " ")


def blanked(text: str) -> str:
    """Python with spaces for the letters of such comments; all else stays where it is, in characters and in bytes.

    So it is with a line of a string that looks like one. Letters that are not ASCII stay, too.
    """
    return _ALONE.sub(lambda found: found[0].translate(_SPACES), text) if "#" in text else text


def blanked_bytes(data: bytes) -> bytes:
    """The same for the bytes of a file."""
    return blanked(data.decode("latin-1")).encode("latin-1") if b"#" in data else data
