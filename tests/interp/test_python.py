"""Python itself: each snippet is run by Python and by the interpreter, and `out` must be the same in both."""

from __future__ import annotations

import pytest

from aoti_lint.interp.values import Choice, Unknown
from tests.interp.snippets import run

SAME = {
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
    "how often a loop of unknown length yields": """
def rows(n):
    i = 0
    while i < n:
        yield i
        i += 1
out = len(list(rows(3)))
""",
    "what a later round of a loop adds": """
found = []
i = 0
while i < 5:
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
    "what a metaclass makes": """
class Meta(type):
    def __call__(cls): return 3
class Made(metaclass=Meta): pass
out = Made()
""",
}


@pytest.mark.parametrize("name", NOT_KNOWN)
def test_nothing_is_claimed_of(name: str) -> None:
    value = run(NOT_KNOWN[name]).value("out")
    assert isinstance(value, Unknown | Choice), value
