"""Arrows run downwards only, and no modules import each other in a circle but those that run Python."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.structure.imports import Arrow, arrows, circles, edges, modules, room_of

FLOORS = (
    "called lazily",
    "errors version profile deployment config files text diagnostics quoting isolated",
    "ir",
    "source",
    "torch_api program native",
    "probe",
    "report",
    "values",
    "machine",
    "language",
    "models",
    "tracing",
    "roots",
    "linking",
    "coverage",
    "map",
    "rule",
    "options catalogue",
    "findings",
    "engine",
    "",
    "session",
    "tensors triage",
    "rerun",
    "cli",
    "__main__ pytest_plugin",
    "rules",
)
"""The rooms, the ground first. Those of one floor may import each other one way."""
RERUN = (
    " copied inside named_files",
    "plan",
    "formats result",
    "wrapper",
    "read",
    "run",
    "judge",
    "report repro",
    "execution",
)
"""The rooms in `rerun`."""
HOUSES = pytest.mark.parametrize(("house", "floors"), [("", FLOORS), ("rerun.", RERUN)])
LANGUAGE = "language"
"""The room whose modules evaluate, execute and call one another: no order would be an honest one."""


def floor_of(room: str, floors: tuple[str, ...]) -> int:
    return next(number for number, rooms in enumerate(floors) if room in rooms.split(" "))


def room_in(module: str, house: str = "") -> str | None:
    """The room of a module in a house; none where it is not of it."""
    if not f"{module}.".startswith(house):
        return None
    return room_of(module[len(house) :])


def between(house: str) -> Iterator[tuple[str, str, Arrow]]:
    """The arrows from one room of a house to another."""
    for one in arrows():
        start, end = room_in(one.start, house), room_in(one.end, house)
        if start is not None and end is not None and start != end:
            yield start, end, one


@HOUSES
def test_every_room_has_a_floor(house: str, floors: tuple[str, ...]) -> None:
    known = [room for rooms in floors for room in rooms.split(" ")]
    assert sorted(known) == sorted({room for name in modules() if (room := room_in(name, house)) is not None})


@HOUSES
def test_no_arrow_runs_upwards(house: str, floors: tuple[str, ...]) -> None:
    back = [str(one) for start, end, one in between(house) if floor_of(start, floors) < floor_of(end, floors)]
    assert back == []


def test_the_language_is_the_only_circle() -> None:
    assert [{room_of(name) for name in circle} for circle in circles(edges())] == [{LANGUAGE}]


@HOUSES
def test_rooms_are_in_no_circle(house: str, floors: tuple[str, ...]) -> None:
    found: dict[str, set[str]] = {}
    for start, end, _ in between(house):
        found.setdefault(start, set()).add(end)
    assert circles(found) == []


@pytest.mark.parametrize(
    ("between", "found"),
    [
        ({"a": {"b"}, "b": {"c"}}, []),
        ({"a": {"b"}, "b": {"a", "c"}, "c": {"d"}, "d": {"c"}}, [{"c", "d"}, {"a", "b"}]),
    ],
)
def test_circles_are_found(between: dict[str, set[str]], found: list[set[str]]) -> None:
    assert circles(between) == found


def test_imports_of_every_kind_are_seen() -> None:
    """As a module loads, inside a function, for types alone."""
    assert any(one.start == "engine.analysis" and one.end == "linking.analysis" and one.inside for one in arrows())
    assert any(one.start == "machine.hooks" and one.end == "machine.machine" for one in arrows())
    assert Arrow("models.tensors.tensors", "language.comparisons", 0, False) in {
        Arrow(one.start, one.end, 0, one.inside) for one in arrows()
    }
