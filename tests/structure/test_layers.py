"""Arrows run downwards only, and no modules import each other in a circle but those that run Python."""

from __future__ import annotations

import pytest

from tests.structure.imports import Arrow, arrows, circles, edges, modules, room_of

FLOORS = (
    "errors version deployment config safe_path files text diagnostics quoting own_folder cache isolated",
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
    "cases rule",
    "options catalogue",
    "findings",
    "programs",
    "",
    "run_cache engine",
    "tensors triage",
    "rerun",
    "cli",
    "__main__ pytest_plugin",
    "rules",
)
"""The rooms, the ground first. Those of one floor may import each other one way."""
LANGUAGE = "language"
"""The room whose modules evaluate, execute and call one another: no order would be an honest one."""


def floor_of(room: str) -> int:
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms.split(" "))


def test_every_room_has_a_floor() -> None:
    known = [room for rooms in FLOORS for room in rooms.split(" ")]
    assert sorted(known) == sorted({room_of(name) for name in modules()})


def test_no_arrow_runs_upwards() -> None:
    back = [str(one) for one in arrows() if floor_of(room_of(one.start)) < floor_of(room_of(one.end))]
    assert back == []


def test_the_language_is_the_only_circle() -> None:
    assert [{room_of(name) for name in circle} for circle in circles(edges())] == [{LANGUAGE}]


def test_rooms_are_in_no_circle() -> None:
    between: dict[str, set[str]] = {}
    for one in arrows():
        if room_of(one.start) != room_of(one.end):
            between.setdefault(room_of(one.start), set()).add(room_of(one.end))
    assert circles(between) == []


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
    assert any(one.start == "engine" and one.end == "linking.analysis" and one.inside for one in arrows())
    assert any(one.start == "machine.hooks" and one.end == "machine.machine" for one in arrows())
    assert Arrow("models.tensors.tensors", "language.comparisons", 0, False) in {
        Arrow(one.start, one.end, 0, one.inside) for one in arrows()
    }
