"""Python itself: each snippet is run by Python and by the interpreter, and `out` must be the same in both."""

from __future__ import annotations

import pytest

from aoti_lint.values.values import Choice, Unknown
from tests.snippets import run

SAME = {
    "what a metaclass makes": """
class Meta(type):
    def __call__(cls): return 3
class Made(metaclass=Meta): pass
out = Made()
""",
    "a metaclass that keeps one instance of each class": """
class Single(type):
    made = {}
    def __call__(cls, *args):
        if cls not in cls.made:
            cls.made[cls] = super().__call__(*args)
        return cls.made[cls]
class One(metaclass=Single):
    def __init__(self, size): self.size = size
class Other(One): pass
out = (One(2).size, One(3).size, Other(4).size)
""",
    "an instance that __new__ keeps is initialised again": """
class Only:
    kept = None
    def __new__(cls, *args):
        if cls.kept is None:
            cls.kept = super().__new__(cls)
        return cls.kept
    def __init__(self, size): self.size = size
first, second = Only(2), Only(3)
out = (first.size, second.size, first is second)
""",
    "a class of the project in the image of a dict": """
from collections.abc import Mapping
class Bag(Mapping):
    def __init__(self, **held): self.held = held
    def __getitem__(self, key): return self.held[key]
    def __iter__(self): return iter(self.held)
    def __len__(self): return len(self.held)
def given(**named): return sorted(named)
bag = Bag(x=1, y=2)
out = ({**bag}, dict(bag), given(**bag), list(bag.items()), bag.get("z", 3), "x" in bag, [k for k in bag])
""",
    "an instance with __iter__, or with __len__ and __getitem__": """
class Count:
    def __init__(self, end): self.end = end
    def __iter__(self):
        for i in range(self.end):
            yield i
class Row:
    def __len__(self): return 2
    def __getitem__(self, i):
        if i > 1:
            raise IndexError
        return i * 10
first, *rest = Count(3)
out = (first, rest, [n for n in Row()], list(Count(2)))
""",
    "operators that classes define": """
class Stage:
    def __init__(self, *steps): self.steps = steps
    def __or__(self, other): return Stage(*self.steps, *other.steps)
    def __rmul__(self, times): return Stage(*(self.steps * times))
out = ((Stage(1) | Stage(2)).steps, (2 * Stage(3)).steps)
""",
    "patterns of structure": """
from dataclasses import dataclass
@dataclass
class Point:
    x: int
    y: int
def rows(given):
    match given:
        case Point(x=4, y=other):
            return ("four", other)
        case Point(first, second):
            return (first, second)
        case {"rows": n, **rest}:
            return n
        case ["rows", n, *rest]:
            return (n, "more")
        case [n]:
            return n
        case int(n) | float(n):
            return n
        case _:
            return None
shown = [Point(4, 8), Point(6, 8), {"rows": 3, "x": 1}, ["rows", 2, 3], (7,), 5, 2.5, "text", {"x": 1}]
out = [rows(s) for s in shown]
""",
    "types of values": """
from collections.abc import Mapping, Sequence
from pathlib import Path
def kind(value):
    if isinstance(value, Mapping):
        return "mapping"
    if isinstance(value, str | Path):
        return "path"
    if isinstance(value, (int, float)):
        return "number"
    return "sequence" if isinstance(value, Sequence) else "other"
out = [kind(v) for v in ({}, "a", Path("b"), 3, 2.5, (1,), [2], {3}, None)]
""",
    "a function chosen by the type of its argument": """
import functools
@functools.singledispatch
def name(value): return "other"
@name.register
def _(value: int): return "int"
@name.register(list)
@name.register(tuple)
def _(value): return [name(v) for v in value]
out = (name(1), name("a"), name([2, ("b",)]))
""",
    "any, all and what can be worked out": """
out = (any([0, 3]), all([1, 0]), all([]), abs(-4), round(2.6), divmod(7, 3), pow(2, 5))
""",
    "membership of classes and tuples": """
class A: pass
class B: pass
classes, pairs = {A: 1}, {(2, 3): 4}
out = (A in classes, B in classes, (2, 3) in pairs, (2, 4) in pairs)
""",
    "a comprehension has its own variables": """
n = 8
squares = [n * n for n in range(3)]
out = (n, squares)
""",
    "a walrus in a comprehension does not": """
out = ([last := v for v in (1, 2)], last)
""",
    "functions of a comprehension share its variable": """
k = 7
calls = [lambda: k for k in range(3)]
out = ([call() for call in calls], k)
""",
    "a shared base comes after all that derive from it": """
class Base:
    rows = 4
    def who(self): return "base"
class Left(Base):
    def who(self): return "left " + super().who()
class Right(Base):
    rows = 2
    def who(self): return "right " + super().who()
class Both(Left, Right): pass
out = (Both.rows, Both().who())
""",
    "a generator that yields by a known condition": """
def rows(more):
    if more:
        yield 1
    yield 2
    for i in range(2):
        yield i
out = list(rows(False))
""",
    "instances compare by their own method": """
class Size:
    def __init__(self, rows): self.rows = rows
    def __eq__(self, other): return self.rows == other.rows
    def __bool__(self): return self.rows > 1
out = (Size(3) == Size(3), Size(3) != Size(4), "many" if Size(3) else "one", not Size(1))
""",
    "lists compare by what they hold": """
out = ([1, 2] == [1, 2], [1] == [2])
""",
    "the length decides the truth of an instance": """
class Box:
    def __init__(self): self.held = []
    def __len__(self): return len(self.held)
box = Box()
before = "full" if box else "empty"
box.held.append(1)
out = (before, "full" if box else "empty")
""",
    "members of an enum are their values only if they are strings": """
from enum import Enum
class Plain(Enum):
    A = "a"
class Word(str, Enum):
    A = "a"
    SAME = "a"
out = (Plain.A == "a", Word.A == "a", {"a": 1}.get(Word.A), {Word.A: 2}["a"], Word.SAME is Word.A)
out += tuple(c.name for c in Word)
""",
    "replacing a field runs what follows the constructor": """
from dataclasses import dataclass, field, replace
@dataclass
class Spec:
    rows: int
    twice: int = field(init=False)
    name: str = "x"
    def __post_init__(self): self.twice = self.rows * 2
out = (replace(Spec(1), rows=5).twice, Spec(2, "y").name)
""",
    "a subclass is told to its bases": """
class Plugin:
    known = {}
    def __init_subclass__(cls, tag="", **more): Plugin.known[cls.__name__] = tag
class First(Plugin, tag="f"): pass
out = Plugin.known
""",
    "a cached function gives the same thing again": """
import functools
@functools.lru_cache(maxsize=None)
def box(name): return [name]
box("a").append(1)
out = (box("a"), box("b"))
""",
    "a cached property gives the same thing again": """
import functools
class Store:
    @functools.cached_property
    def rows(self): return []
store = Store()
store.rows.append(1)
out = (store.rows, Store().rows)
""",
    "a wrapper takes the name of what it wraps": """
import functools
def plain(call):
    @functools.wraps(call)
    def run(): return call()
    return run
@plain
def load(): return 1
out = load.__name__
""",
    "roles given by a call": """
def create(n): return n + 1
class Maker:
    make = staticmethod(create)
    four = property(lambda self: 4)
out = (Maker().make(1), Maker().four)
""",
    "a descriptor is asked": """
class Four:
    def __get__(self, owner, kind): return 4
class Holder:
    four = Four()
out = Holder().four
""",
    "attributes set through __dict__": """
class Config:
    rows = 1
    def __init__(self, **given): self.__dict__.update(given)
out = (Config(rows=5).rows, Config().rows)
""",
    "a sum that starts somewhere": """
out = (sum([1, 2], 5), sum([1, 2], start=7))
""",
}


@pytest.mark.parametrize("name", SAME)
def test_as_python_does(name: str) -> None:
    scope: dict[str, object] = {"__name__": "snippet"}
    exec(compile(SAME[name], "snippet", "exec", dont_inherit=True), scope)
    assert run(SAME[name]).python("out") == scope["out"]


NOT_KNOWN = {
    "how often a long loop yields": """
def rows(n):
    i = 0
    while i < n:
        yield i
        i += 1
out = len(list(rows(300)))
""",
    "what a later round of a loop adds": """
found = []
i = 0
while i < 500:
    i += 1
    if i == 2:
        continue
    found.append(i)
out = len(found)
""",
    "what the test of a loop changes": """
a = 5
while (a := a - 1) > 2:
    pass
out = a
""",
    "an entry under a key that may be equal to another": """
from dataclasses import dataclass
@dataclass(frozen=True)
class Key:
    name: str
table = {Key("a"): 1}
out = table.get(Key("a"), 0)
""",
}


@pytest.mark.parametrize("name", NOT_KNOWN)
def test_nothing_is_claimed_of(name: str) -> None:
    value = run(NOT_KNOWN[name]).value("out")
    assert isinstance(value, Unknown | Choice), value
