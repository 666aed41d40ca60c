"""Dataclasses whose methods come later are as Python's own, and compile nothing before they are used."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from aoti_lint.lazily.dataclass import dataclass, field, fields, replace


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0
    name: str = field(default="", compare=False)
    tags: list[str] = field(default_factory=list, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Named(Point):
    """One with a default of its own for what it inherits."""

    name: str = field(default="named", compare=False)
    more: int = field(default=1, init=False)

    def told(self) -> str:
        return f"{self.name} {self.more}"


@dataclass(frozen=True, slots=True)
class Louder(Named):
    def told(self) -> str:
        return super().told().upper()


@dataclass(slots=True)
class Changing:
    one: int
    two: int = field(default=2, kw_only=True)
    sum: int = field(init=False)

    def __post_init__(self) -> None:
        self.sum = self.one + self.two


@dataclass(slots=True, kw_only=True, eq=False)
class ByIdentity:
    first: int
    second: int = 2


@dataclass(frozen=True, slots=True)
class Own:
    """One that says itself what equal is, and how it is shown."""

    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own)

    def __repr__(self) -> str:
        return "own"


def test_how_they_are_made_and_shown() -> None:
    assert repr(Point(1, name="a")) == "Point(x=1, y=0, name='a')"
    assert repr(Named(1)) == "Named(x=1, y=0, name='named', more=1)"
    assert repr(Changing(1, two=3)) == "Changing(one=1, two=3, sum=4)"
    assert repr(ByIdentity(first=1)) == "ByIdentity(first=1, second=2)"
    assert Point(1).tags is not Point(1).tags
    assert Louder(2).told() == "NAMED 1"


@pytest.mark.parametrize(
    ("cls", "given", "named"),
    [(Point, [], {}), (Point, [1, 2, "", [], 5], {}), (Named, [1], {"more": 2}), (Changing, [1, 2], {}),
     (ByIdentity, [1], {})],
)  # fmt: skip
def test_arguments_that_do_not_fit(cls: Callable[..., object], given: list[object], named: dict[str, object]) -> None:
    with pytest.raises(TypeError):
        cls(*given, **named)


def test_what_is_equal() -> None:
    assert Point(1, name="a") == Point(1, name="b") != Point(2)
    assert hash(Point(1, name="a")) == hash(Point(1)) == hash((1, 0))
    assert Point(1) != Named(1)
    assert Changing(1) == Changing(1)
    assert ByIdentity(first=1) != ByIdentity(first=1)
    assert len({ByIdentity(first=1), ByIdentity(first=1)}) == 2
    assert Own(1) == Own(2)
    assert repr(Own(1)) == "own"
    assert hash(Own(1)) == hash((1,))
    with pytest.raises(TypeError):
        hash(Changing(1))


def test_what_is_frozen_stays_as_it_is() -> None:
    point: Any = Point(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 2
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x
    with pytest.raises(AttributeError):
        Changing(1).other = 1  # type: ignore[attr-defined]


def test_what_python_knows_of_dataclasses() -> None:
    assert [one.name for one in fields(Named)] == ["x", "y", "name", "tags", "more"]
    assert replace(Named(1, 2), y=3) == Named(1, 3)
    assert dataclasses.is_dataclass(Point)
    assert dataclasses.asdict(Point(1)) == {"x": 1, "y": 0, "name": "", "tags": []}
    match Named(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)
    assert "__dict__" not in dir(Louder(1))


def test_a_method_is_made_when_it_is_called() -> None:
    @dataclass(frozen=True, slots=True)
    class Late:
        one: int

    made = {"__init__", "__eq__", "__hash__", "__dataclass_fields__"}
    assert not any(callable(vars(Late)[name]) for name in made)
    assert Late(1)
    assert [name for name in sorted(made) if callable(vars(Late)[name])] == ["__init__"]
    assert Late(1) == Late(1)
    assert [name for name in sorted(made) if callable(vars(Late)[name])] == ["__eq__", "__init__"]
