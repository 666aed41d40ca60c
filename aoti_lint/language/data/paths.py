"""Paths: how they are joined and taken apart, and when two of them name one file.

A path is its text: constant and unknown parts, `/` between segments. Relative paths stay relative to the current
folder, also when they are made absolute, so that one file keeps one name.
"""

from __future__ import annotations

import posixpath
from pathlib import PurePosixPath

from aoti_lint.language import tools
from aoti_lint.language.data import defaults, texts
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.values.identity import ident
from aoti_lint.values.torch_values import NO_FILE, FileName, Package
from aoti_lint.values.values import NONE, Const, Obj, PathValue, Text, Unknown, Value

CWD = Unknown("cwd", "the current folder")
HOME = Unknown("home", "the home folder of the user")
PROJECT_ROOT = Unknown("project root", "the folder of the project")
TEMPORARY = Unknown("machine:tempfile.gettempdir", "the folder for temporary files")
PLACES = frozenset({CWD.key, HOME.key, PROJECT_ROOT.key, TEMPORARY.key})
"""The keys of folders that are known, wherever they lie."""
FRESH = "tempdir#"
"""Begins the key of every folder that is new for sure."""
SLASH = Const("/")


# ---------------------------------------------------------------- text


def as_text(m: Machine, value: Value) -> Value:
    """The text of something used as a path, on every alternative."""
    return lift(m, value, lambda v: m.see(v.text) if isinstance(v, PathValue) else v)


def as_path(m: Machine, value: Value) -> Value:
    """`Path(value)`."""
    return lift(m, value, lambda v: v if isinstance(v, PathValue) else PathValue(normal(v)))


def normal(text: Value) -> Value:
    """A constant text as pathlib writes it."""
    if isinstance(text, Const) and isinstance(text.value, str):
        return Const(str(PurePosixPath(text.value)))
    return text


def join_paths(values: list[Value]) -> Value:
    """`os.path.join` of values without alternatives; a path gives its text."""
    result: Value = Const("")
    for value in values:
        text = value.text if isinstance(value, PathValue) else value
        if result in (Const(""), Const(".")) or _head(text).startswith("/"):
            result = text
        elif text != Const("."):
            result = texts.concat([result, text] if _tail(result).endswith("/") else [result, SLASH, text])
    return result


def _head(text: Value) -> str:
    first = text.parts[0] if isinstance(text, Text) else text
    return first.value if isinstance(first, Const) and isinstance(first.value, str) else ""


def _tail(text: Value) -> str:
    last = text.parts[-1] if isinstance(text, Text) else text
    return last.value if isinstance(last, Const) and isinstance(last.value, str) else ""


def segments(text: Value) -> list[list[Value]]:
    """The parts of a text between its slashes; an absolute path begins with an empty segment."""
    found: list[list[Value]] = [[]]
    for part in text.parts if isinstance(text, Text) else (text,):
        if isinstance(part, PathValue):
            inner = segments(part.text)
        elif isinstance(part, Const) and isinstance(part.value, str | bytes):
            plain = part.value if isinstance(part.value, str) else part.value.decode(errors="replace")
            inner = [[Const(piece)] if piece else [] for piece in plain.replace("\\", "/").split("/")]
        else:
            inner = [[part]]
        found[-1] += inner[0]
        found += inner[1:]
    return found


def is_literal(segment: list[Value]) -> bool:
    return all(isinstance(p, Const) for p in segment)


# ---------------------------------------------------------------- the name of a file


def path_key(m: Machine, value: Value) -> tuple[str, ...]:
    """The segments of a path, normalised: constants as they are, what is unknown as `<its identity>`.

    `.` is dropped and `..` folded; an absolute path begins with `/`. Two paths with one key name one file.
    """
    parts = segments(_expand(m, m.see(value), 0))
    found: list[str] = []
    literal: list[bool] = []
    if len(parts) > 1 and not parts[0]:
        found, literal = ["/"], [False]
    for i, part in enumerate(parts):
        name = "".join(str(p.value) if isinstance(p, Const) else _symbol(p) for p in part)
        if name in ("", ".") or (i == 0 and name == f"<{CWD.key}>"):
            continue
        if name == ".." and found and literal[-1]:
            found.pop()
            literal.pop()
        elif name != ".." or found != ["/"]:
            found.append(f"<{HOME.key}>" if i == 0 and name == "~" else name)
            literal.append(is_literal(part) and name not in ("..", "~"))
    return tuple(found) or (".",)


def file_name(m: Machine, value: Value) -> FileName:
    """The name of the file `value` means."""
    value = m.see(value)
    if value == NONE:
        return NO_FILE
    return FileName(value, path_key(m, value), path_key(m, defaults.by_default(value)))


def _symbol(value: Value) -> str:
    name = ident(value)
    return name if name.startswith("<") else f"<{name}>"


def _expand(m: Machine, value: Value, depth: int) -> Value:
    """`value` with artefacts and open files replaced by the paths they were written to."""
    if depth > 8:
        return value
    match value:
        case PathValue(text):
            return _expand(m, m.see(text), depth + 1)
        case Package(file=file) if file != NO_FILE:
            return _expand(m, m.see(file.given), depth + 1)
        case Obj(ident=number, kind="object"):
            opened = m.read(number, "#file")
            return value if opened is None else _expand(m, opened, depth + 1)
        case Text(parts):
            return texts.concat([_expand(m, m.see(p), depth + 1) for p in parts])
        case _:
            return value


def same_file(first: tuple[str, ...], second: tuple[str, ...]) -> str:
    """Whether two keys name one file: `yes`, `no`, or `maybe` for an unknown folder with the same base name."""
    if first == second:
        return "yes"
    if first[-1] != second[-1]:
        return "no"
    if _new_folder(first, second) or _new_folder(second, first):
        return "no"
    for one, other in zip(reversed(first), reversed(second), strict=False):
        if one != other:
            return "maybe" if "<" in one or "<" in other else "no"
    longer = max(first, second, key=len)
    return "maybe" if "<" in "".join(longer[: abs(len(first) - len(second))]) else "no"


def _new_folder(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Whether `first` lies in a folder that was new, and `second` surely elsewhere."""
    if not first[0].startswith(f"<{FRESH}"):
        return False
    if second[0] == first[0]:
        return False
    known = second[1:] if second[0].strip("<>") in PLACES else second
    return second[0].startswith(f"<{FRESH}") or "<" not in "".join(known)


# ---------------------------------------------------------------- taking apart


def base_name(m: Machine, text: Value) -> Value:
    """The last segment."""
    found = _last(text)
    if found is not None:
        return texts.concat(found)
    return tools.derive(m, text, ".name", lambda t: PurePosixPath(t).name)


def parent(m: Machine, text: Value) -> Value:
    """All but the last segment."""
    if isinstance(text, Const):
        return tools.derive(m, text, ".parent", lambda t: str(PurePosixPath(t).parent))
    if text in (CWD, HOME, PROJECT_ROOT) or _tail(text).endswith("/.."):
        return texts.concat([text, Const("/..")])
    if _last(text) is None:
        return tools.derive(m, text, ".parent", lambda t: str(PurePosixPath(t).parent))
    kept = _trimmed(text)[:-1]
    return Const("/") if kept == [[]] else join_segments(kept)


def join_segments(parts: list[list[Value]]) -> Value:
    joined: list[Value] = []
    for i, part in enumerate(parts):
        joined += [SLASH, *part] if i else part
    return joined[0] if len(joined) == 1 else texts.concat(joined)


def _trimmed(text: Value) -> list[list[Value]]:
    parts = segments(text)
    while len(parts) > 1 and not parts[-1]:
        parts.pop()
    return parts


def _last(text: Value) -> list[Value] | None:
    """The last segment, where it is sure that no slash hides in it.

    What stands behind a literal slash or beginning is taken for a plain name.
    """
    parts = _trimmed(text)
    last = parts[-1]
    if not last or last == [Const("..")] or last == [Const(".")]:
        return None
    return last if len(parts) > 1 or isinstance(last[0], Const) else None


def without_suffix(m: Machine, text: Value) -> tuple[Value, Value] | None:
    """A path in two: up to its last suffix, and the suffix; None where the suffix is not known."""
    if isinstance(text, Const) and isinstance(text.value, str):
        root, suffix = posixpath.splitext(text.value)
        return Const(root), Const(suffix)
    if isinstance(text, Text):
        *before, last = text.parts
        if isinstance(last, Const) and isinstance(last.value, str):
            root, suffix = posixpath.splitext(last.value)
            if not suffix and last.value.startswith(".") and "/" not in last.value:
                root, suffix = "", last.value  # behind an unknown part a leading dot begins a suffix
            if suffix or "/" in last.value:
                return texts.concat([*before, Const(root)]), Const(suffix)
    return None


def absolute(m: Machine, text: Value) -> Value:
    """The same file by a path that begins at the root or at the current folder."""
    if isinstance(text, Const) and isinstance(text.value, str):
        plain = posixpath.normpath(text.value) if text.value else "."
        if plain.startswith("/"):
            return Const(plain)
        return CWD if plain == "." else texts.concat([CWD, Const(f"/{plain}")])
    if isinstance(text, Text) and isinstance(text.parts[0], Const) and not _head(text).startswith("/"):
        return texts.concat([CWD, SLASH, text])
    return text


def expand_user(text: Value) -> Value:
    """`~` replaced by the home folder."""
    head = _head(text)
    if head != "~" and not head.startswith("~/"):
        return text
    rest = text.parts[1:] if isinstance(text, Text) else ()
    return texts.concat([HOME, Const(head[1:]), *rest])
