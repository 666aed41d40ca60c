"""Shell: scripts for bash, and lines to copy into one."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from typing import Final

from aoti_lint.quoting.marked import Marked, commands, hidden
from aoti_lint.quoting.terminal import line

_PLAIN: Final = re.compile(r"[\w@%+=:,./-]+")
_NAME: Final = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)


class Shell(Marked):
    """Text that is part of a script."""

    __slots__ = ()


def word(text: str, kept: str = "") -> Shell:
    """One word, whatever is in it; what is not to be seen as it is stands in `$'…'`. `kept` needs no quotes."""
    if not _is_plain(text):
        return Shell("".join(_escaped(part) if odd else shlex.quote(part) for part, odd in _parts(text)))
    bare = text.translate(dict.fromkeys(map(ord, kept)))
    return Shell(text if bare and shlex.quote(bare) == bare else shlex.quote(text))


def filled(text: str, variables: Mapping[str, Shell]) -> Shell:
    """One word in which placeholders stand for something of the script, such as a variable of it."""
    if _PLAIN.fullmatch(text) and _is_plain(text):
        return Shell(text)
    return Shell(f'"{inside(text, variables)}"')


def inside(text: str, variables: Mapping[str, Shell] | None = None) -> Shell:
    """The same, to stand between double quotes."""
    made = []
    for part, odd in _parts(text):
        safe = re.sub(r'([\\"$`])', r"\\\1", part)
        for hole, stands in (variables or {}).items():
            safe = safe.replace(hole, stands)
        made.append(f'"{_escaped(part)}"' if odd else safe)
    return Shell("".join(made))


def command(words: Iterable[str], environment: Mapping[str, str] | None = None, kept: str = "") -> Shell:
    """A line to copy: the words of a command, after the variables that it is started with."""
    settings = [setting(variable, word(value, kept)) for variable, value in (environment or {}).items()]
    return joined([*settings, *(word(each, kept) for each in words)])


def path(text: str) -> str:
    """A path as a word of a command, for `word`: one that begins with a hyphen is no option."""
    return f"./{text}" if text.startswith("-") else text


def name(text: str) -> Shell:
    """A name of ours, such as that of a function or a variable. Raises `ValueError` for anything else."""
    if not _NAME.fullmatch(text):
        raise ValueError(f"{text!r} is no name")
    return Shell(text)


def setting(variable: str, value: Shell) -> Shell:
    """A variable and its value as one word, such as `env` takes."""
    return Shell(f"{word(variable)}={value}")


def form(template: str, *parts: Shell) -> Shell:
    """A text of ours in which each `%s` is a part."""
    return Shell(template % parts)


def joined(parts: Iterable[Shell], between: str = " ") -> Shell:
    """Parts with something of ours between them."""
    return Shell(between.join(parts))


def source(text: str) -> list[Shell]:
    """Lines of a script that is a file of this package."""
    return list(map(Shell, text.rstrip().split("\n")))


def comment(text: str, indent: int = 0) -> Shell:
    """One line of comment, whatever is in it."""
    return Shell(" " * indent + line(f"# {text}").rstrip())


def here(target: Shell, text: str) -> list[Shell]:
    """Lines that write a text to a file. It ends where no line of the text does."""
    lines = text.split("\n")
    end = "END OF FILE"
    while end in lines:
        end += "."
    return [Shell(f"cat >{target} <<'{end}'"), *map(Shell, lines), Shell(end)]


def _is_plain(text: str) -> bool:
    if text.isascii() and text.isprintable() and "##" not in text:
        return True
    return not any(map(hidden, text)) and not any(commands(text))


def _parts(text: str) -> Iterable[tuple[str, bool]]:
    """The text in parts, each with whether it must be written by its bytes."""
    odd = {at for at, char in enumerate(text) if hidden(char)} | set(commands(text))
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or (at in odd) != (start in odd):
            yield text[start:at], start in odd
            start = at


def _escaped(text: str) -> str:
    """The bytes of a text, as the system has them in names and arguments. It has no NUL."""
    text = text.replace("\0", "")
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = text.encode("utf-8", "surrogatepass")
    known = {10: "\\n", 9: "\\t"}
    return f"$'{''.join(known.get(byte, f'{chr(92)}x{byte:02x}') for byte in data)}'"
