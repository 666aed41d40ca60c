"""Where the time of a run went: as a file for https://www.speedscope.app, and its largest parts as a table.

The file is of speedscope's evented format: https://www.speedscope.app/file-format-schema.json.
"""

from __future__ import annotations

from aoti_lint.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from aoti_lint.profile import Piece, Profile
    from aoti_lint.report.styled import Line

_SCHEMA = "https://www.speedscope.app/file-format-schema.json"
ROWS = 15
"""The parts that the table has."""
_OF_FILES = ("read", "run")
"""The kinds of work whose name begins with the path of a file."""


def is_profile(head: bytes) -> bool:
    """Whether a file that begins so is one of ours."""
    return head.startswith(b'{\n  "exporter": "aoti-lint ')


def speedscope(profile: Profile, name_of: Callable[[str], str]) -> dict[str, Any]:
    """The document of a profile; `name_of` gives the path of a file as the user knows it."""
    frames: dict[Piece, int] = {}
    events: list[dict[str, Any]] = []
    open_: list[int] = []
    start = profile.marks[0][1]
    for piece, at in profile.marks:
        if piece is not None:
            open_.append(frames.setdefault(piece, len(frames)))
        frame = open_[-1] if piece is not None else open_.pop()
        events.append({"type": "C" if piece is None else "O", "frame": frame, "at": round(at - start, 6)})
    return {
        "exporter": f"aoti-lint {__version__}",
        "$schema": _SCHEMA,
        "name": "aoti-lint check",
        "activeProfileIndex": 0,
        "shared": {"frames": [_frame(piece, name_of) for piece in frames]},
        "profiles": [
            {
                "type": "evented",
                "name": "aoti-lint check",
                "unit": "seconds",
                "startValue": 0,
                "endValue": events[-1]["at"],
                "events": events,
            }
        ],
    }


def profile_lines(profile: Profile, name_of: Callable[[str], str]) -> Iterator[Line]:
    """The pieces of work that took longest by themselves, without what was done for them inside."""
    own: dict[Piece, float] = {}
    whole: dict[Piece, float] = {}
    times: dict[Piece, int] = {}
    open_: list[tuple[Piece, float]] = []
    before = 0.0
    for piece, at in profile.marks:
        if open_:
            now = open_[-1][0]
            own[now] = own.get(now, 0.0) + at - before
        before = at
        if piece is not None:
            times[piece] = times.get(piece, 0) + 1
            open_.append((piece, at))
            continue
        ended, began = open_.pop()
        if all(ended != other for other, _ in open_):
            whole[ended] = whole.get(ended, 0.0) + at - began
    yield [("own time     whole  times", "name")]
    longest = sorted(own, key=lambda one: (-own[one], one))
    for piece in longest[:ROWS]:
        yield [(f"{own[piece]:7.3f} s {whole[piece]:7.3f} s {times[piece]:6}  {_name(piece, name_of)}", "")]
    if len(longest) > ROWS:
        rest = sum(own[piece] for piece in longest[ROWS:])
        yield [(f"{rest:7.3f} s                   {len(longest) - ROWS} others", "")]


def _frame(piece: Piece, name_of: Callable[[str], str]) -> dict[str, str]:
    """What a piece of work is called, and its file where it is about one."""
    kind, name = piece
    file = {"file": name_of(name.partition("::")[0])} if kind in _OF_FILES else {}
    return {"name": _name(piece, name_of), **file}


def _name(piece: Piece, name_of: Callable[[str], str]) -> str:
    kind, name = piece
    if kind in _OF_FILES:
        path, colons, function = name.partition("::")
        name = f"{name_of(path)}{colons}{function}"
    return name if kind == "step" else f"{kind} {name}"
