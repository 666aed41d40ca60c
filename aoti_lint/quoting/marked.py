"""The types of quoted text, and the characters that no medium shows as they are."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final


class Marked(str):
    """Text that a module of this folder made: it holds nothing that its medium, a terminal or a CI log would obey."""

    __slots__ = ()


HIDDEN: Final = ("Cc", "Cf", "Cs", "Zl", "Zp")
"""Categories of what steers a terminal, turns the direction of text, ends a line or cannot be encoded."""
UNSEEN: Final = frozenset(
    (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2065, 0x3164, *range(0xFE00, 0xFE0E), 0xFFA0,
     *range(0xFFF0, 0xFFF9))
)  # fmt: skip
"""Characters of other categories that nothing is seen of (Default_Ignorable_Code_Point in Unicode's
`DerivedCoreProperties.txt`, but for the two variation selectors that emoji have); so are all of U+E0000 to U+E0FFF."""


def hidden(char: str) -> bool:
    """Whether a character must be written out to be seen, or to do no harm."""
    if char.isprintable():
        return not char.isascii() and _unseen(char)
    from unicodedata import category

    return category(char) in HIDDEN or _unseen(char)


def _unseen(char: str) -> bool:
    return ord(char) in UNSEEN or 0xE0000 <= ord(char) <= 0xE0FFF


def named(char: str) -> str:
    r"""A character as Python would write it: `\n`, `\x1b`, `\u202e`, `\U000e0041`. The one escape of all media."""
    return char.encode("unicode_escape").decode() if not 32 <= ord(char) < 127 else f"\\x{ord(char):02x}"


def commands(line: str) -> Iterator[int]:
    """The places of characters by which CI services would take a line for a command of theirs.

    GitHub obeys `::` at the start of a line and `##[` anywhere, Azure `##vso[`, TeamCity `##teamcity[`.
    """
    if "::" in line and line.lstrip().startswith("::") and not line.lstrip().startswith("::: "):
        yield line.index(":")
    if "##" in line and "[" in line:
        import re

        yield from (found.start() for found in re.finditer(r"#(?=#[\w.-]*\[)", line))
