"""Files outside Python that lie in a named folder and were not named: nobody knows which of them are used.

What they set is judged by itself, where it looks like a variable of torch. What they start is judged without it and,
for each start, with it; where nothing is seen that they start, a run says what they set.
"""

from __future__ import annotations

import os
import posixpath

from aoti_lint.files.opener import BEGINNING, open_regular
from aoti_lint.lazily.regex import regex
from aoti_lint.source.interest.needles import VARIABLES
from aoti_lint.source.settings.kinds import MOST_BYTES, kind_of
from aoti_lint.torch_api.settings import readings
from aoti_lint.torch_api.versions import MINORS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

_COMMENT = regex(rb"(?m)^[ \t]*#.*$")
_SET = regex(rb"(?<![\w$.{-])([A-Za-z_]\w*)(?:[ \t]*[:?]?=|[ \t]*:[ \t])")
_SCRIPT = regex(rb"(?<![\w./-])[\w./-]+\.py\b")
_GIVEN = regex(rb"(?<![\w./-])([\w./-]+\.py)\b[\"']?(?:[ \t]|\\\n)+[^\s;&|<>#)]")
"""A script, and a word behind it."""
_READ = regex(rb"""(?:environ(?:\.(?:get|setdefault|pop))?|getenv)[ \t]*[\[(]\s*['"](\w+)['"]""")
_COMPILERS = (
    "torch._inductor",
    "torch._dynamo",
    "torch._functorch",
    "torch._logging",
    "torch.compiler",
    "torch.export",
)


def counting(root: str, paths: Iterable[str], scripts: Collection[str]) -> list[str]:
    """Those of the files, relative to `root`, that set what looks like a variable of torch, or give one of the scripts
    that they start words, or a variable that it reads.
    """
    return [path for path in paths if _counts(root, path, scripts)]


def _counts(root: str, path: str, scripts: Collection[str]) -> bool:
    text = _text(root, path)
    names = {*_SET.findall(text)}
    if any(name.startswith(VARIABLES) for name in names) or _among(scripts, path, _GIVEN.findall(text)):
        return True
    started = _among(scripts, path, _SCRIPT.findall(text)) if names else ()
    return any(not names.isdisjoint(_READ.findall(_bytes(root, script))) for script in started)


def unnamed(root: str, paths: Iterable[str], scripts: Collection[str], name: Callable[[str], str]) -> str | None:
    """What there is to say of files that set what torch reads, and start nothing.

    `paths` are those of the files, `scripts` those of the scripts of the run, all relative to `root`; `name` gives what
    a user calls a file.
    """
    found = [(path, variable) for path in paths for variable in [_matters(root, path, scripts)] if variable is not None]
    if not found:
        return None
    path, variable = found[0]
    if len(found) == 1:
        return f"{name(path)} sets {variable}: scripts were judged without; name it, too, if it counts for them"
    others = "1 more file sets" if len(found) == 2 else f"{len(found) - 1} more files set"
    without = "scripts were judged without; name those that count for them"
    return f"{name(path)} sets {variable}, and {others} such variables: {without}"


def _matters(root: str, path: str, scripts: Collection[str]) -> str | None:
    """A variable of torch that a file sets, if it starts none of the scripts with it."""
    text = _text(root, path)
    if _among(scripts, path, _SCRIPT.findall(text)):
        return None
    names: set[str] = {found.decode() for found in _SET.findall(text)}
    return next((one for one in sorted(names) if one.encode().startswith(VARIABLES) and _is_of_compiling(one)), None)


def _among(scripts: Collection[str], path: str, words: Iterable[bytes]) -> set[str]:
    """Those of the scripts that words of a file name."""
    return {one for word in words for one in _places(path, word.decode()) if one in scripts}


def _text(root: str, path: str) -> bytes:
    """A file without its comments; nothing where neither what it sets nor what it starts can matter."""
    data = _bytes(root, path)
    if b".py" not in data and not any(word in data for word in VARIABLES):
        return b""
    text = _COMMENT.sub(b"", data)
    return b"" if kind_of(path, text) is None else text


def _is_of_compiling(variable: str) -> bool:
    """Whether what exports and compiles reads a variable, as long as torch has it; much else of torch has some, too."""
    read = [found for minor in MINORS if (found := readings(variable, minor))]
    return bool(read) and all(any(one.module.startswith(_COMPILERS) for one in found) for found in read)


def _places(path: str, word: str) -> list[str]:
    """Where a script may lie that a file names, seen from its folder and from the root; none for one that builds."""
    if posixpath.basename(word) == "setup.py":
        return []
    return [posixpath.normpath(posixpath.join(folder, word)) for folder in (posixpath.dirname(path), "")]


def _bytes(root: str, path: str) -> bytes:
    try:
        with open_regular(os.path.join(root, path), BEGINNING) as file:
            return file.read(max(MOST_BYTES.values()))
    except OSError:
        return b""
