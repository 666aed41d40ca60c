"""Tests that nobody calls: their cases, their fixtures, and what sets them up."""

from __future__ import annotations

import pytest

from aoti_lint import models
from aoti_lint.machine.machine import Machine
from aoti_lint.roots.run import run_functions
from aoti_lint.torch_api.versions import SUPPORTED
from aoti_lint.values.events.process import EnvWrite
from aoti_lint.values.values import Choice, Const, PathValue, Unknown, Value
from tests.snippets import Files

HEAD = "import os, pytest, unittest, torch\nfrom pathlib import Path\n"


def tell(value: str, name: str = "D") -> str:
    return f"os.environ['{name}'] = {value}"


def events(text: str, **others: str) -> list[EnvWrite]:
    models.load()
    files = Files({"test_it.py": HEAD + text} | {f"{n}.py": HEAD + t for n, t in others.items()})
    m = Machine(files, SUPPORTED)  # type: ignore[arg-type]  # a project in memory
    run_functions(m, "test_it.py")
    return [e for e in m.facts.events if isinstance(e, EnvWrite)]


def shown(value: Value) -> object:
    return value.value if isinstance(value, Const) else "?"


def told(text: str, **others: str) -> list[object]:
    """What the tests of a module write, in order."""
    return [shown(e.value) for e in events(text, **others)]


def test_sizes_change_in_place_for_what_the_module_made_and_what_the_test_made() -> None:
    both = (
        "mine = torch.ones(1, 2)\nbox = [mine]\n@pytest.fixture\ndef given():\n    return [torch.ones(3, 4)]\n"
        "def test(given):\n    own, held = torch.ones(5, 6), {}\n    held['own'] = (own,)\n"
        "    for one in (mine, given[0], own):\n        one.resize_(7)\n    "
        + tell("'x' * box[0].shape[0] + 'y' * given[0].shape[0] + 'z' * held['own'][0].shape[0]")
    )
    assert told(both) == ["x" * 7 + "y" * 7 + "z" * 7]


CASES = {
    "one name": ("@pytest.mark.parametrize('n', ['a', 'b'])\ndef test(n):\n    " + tell("n"), ["a", "b"]),
    "one name with a comma": (
        "@pytest.mark.parametrize('n,', [('a',), ('b',)])\ndef test(n):\n    " + tell("n"), ["a", "b"]),
    "a tuple for one name": ("@pytest.mark.parametrize('n', [('a', 'b')])\ndef test(n):\n    " + tell("n[1]"), ["b"]),
    "names as a text": (
        "@pytest.mark.parametrize('n, k', [('a', 1), ('b', 2)])\ndef test(k, n):\n    " + tell("n * k"), ["a", "bb"]),
    "names as a tuple": (
        "@pytest.mark.parametrize(('n', 'k'), [('a', 1), ['b', 2]])\ndef test(n, k):\n    " + tell("n * k"),
        ["a", "bb"]),
    "names as a list of one": ("@pytest.mark.parametrize(['n'], [('a',)])\ndef test(n):\n    " + tell("n"), ["a"]),
    "a constant of the module": (
        "ALL = tuple(c * 2 for c in 'ab')\n@pytest.mark.parametrize('n', ALL)\ndef test(n):\n    " + tell("n"),
        ["aa", "bb"]),
    "keywords": (
        "@pytest.mark.parametrize(argvalues=['a'], argnames='n', ids=['x'])\ndef test(n):\n    " + tell("n"), ["a"]),
    "a range": (
        "@pytest.mark.parametrize('n', range(2))\ndef test(n):\n    " + tell("'x' * n"), ["", "x"]),
    "stacked": (
        "@pytest.mark.parametrize('n', 'ab')\n@pytest.mark.parametrize('k', [1, 2])\ndef test(n, k):\n    "
        + tell("n * k"), ["a", "b", "aa", "bb"]),
    "pytest.param": (
        "@pytest.mark.parametrize('n, k', [pytest.param('a', 1, id='one'), ('b', 1)])\ndef test(n, k):\n    "
        + tell("n"), ["a", "b"]),
    "a skipped case": (
        "@pytest.mark.parametrize('n', [pytest.param('a', marks=pytest.mark.skip), 'b',"
        " pytest.param('c', marks=[pytest.mark.slow, pytest.mark.skip(reason='x')])])\ndef test(n):\n    " + tell("n"),
        ["b"]),
    "of the class": (
        "@pytest.mark.parametrize('n', 'ab')\nclass TestIt:\n    @pytest.mark.parametrize('k', [1, 2])\n"
        "    def test(self, n, k):\n        " + tell("n * k"), ["a", "b", "aa", "bb"]),
    "of the module": (
        "pytestmark = [pytest.mark.slow, pytest.mark.parametrize('n', 'ab')]\ndef test(n):\n    " + tell("n"),
        ["a", "b"]),
    "stored first": (
        "both = pytest.mark.parametrize('n', ['a', 'b'])\n@both\ndef test(n):\n    " + tell("n"), ["a", "b"]),
    "unknown values": ("@pytest.mark.parametrize('n', load())\ndef test(n):\n    " + tell("n"), ["?"]),
    "unknown names": ("@pytest.mark.parametrize(names(), [1])\ndef test(n):\n    " + tell("n"), ["?"]),
    "unknown marks": ("@pytest.mark.gpu\n@pytest.mark.timeout(3)\ndef test():\n    " + tell("'a'"), ["a"]),
    "a default": ("def test(n='a'):\n    " + tell("n"), ["a"]),
    "a skipped test": ("@pytest.mark.skip\ndef test():\n    " + tell("'a'"), []),
    "a mark that is called with nothing": (
        "no = pytest.mark.xfail(reason='x')\nyes = no(raises=ValueError)\ndef test():\n    " + tell("'a'"), ["a"]),
    "a skipped module": ("pytestmark = pytest.mark.skip\ndef test():\n    " + tell("'a'"), []),
    "parameterized": (
        "from parameterized import parameterized, param\nclass T(unittest.TestCase):\n"
        "    @parameterized.expand([('x', 'a'), param('y', n='b')])\n    def test(self, label, n):\n        "
        + tell("n"), ["a", "b"]),
    "tests of torch": (
        "from torch.testing._internal.common_utils import parametrize, subtest, TestCase\nclass T(TestCase):\n"
        "    @parametrize('n,k', [('a', 1), subtest(('b', 2), name='x')])\n    def test(self, n, k):\n        "
        + tell("n * k"), ["a", "bb"]),
    "classes made of one": (
        "from parameterized import parameterized_class\n@parameterized_class(('n',), [('a',), ('b',)])\n"
        "class T(unittest.TestCase):\n    n = None\n    def test(self):\n        " + tell("self.n"), ["?"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_cases(name: str) -> None:
    text, expected = CASES[name]
    assert told(text) == expected


FIXTURES = {
    "returned": ("@pytest.fixture\ndef n():\n    return 'a'\ndef test(n):\n    " + tell("n"), ["a"]),
    "with brackets": (
        "@pytest.fixture(scope='module')\ndef n():\n    return 'a'\ndef test(n):\n    " + tell("n"), ["a"]),
    "yielded": (
        "@pytest.fixture\ndef n():\n    yield 'a'\n    " + tell("'end'") + "\ndef test(n):\n    " + tell("n"),
        ["a", "end"]),
    "of other fixtures": (
        "@pytest.fixture\ndef n():\n    return ['a']\n@pytest.fixture\ndef k(n):\n    n.append('b')\n"
        "@pytest.fixture\ndef j(n):\n    yield n\n"
        "def test(n, k, j):\n    " + tell("''.join(j)"), ["ab"]),
    "by another name": (
        "@pytest.fixture(name='n')\ndef make_n():\n    return 'a'\ndef test(n):\n    " + tell("n"), ["a"]),
    "for every test": (
        "class TestIt:\n    @pytest.fixture(autouse=True)\n    def start(self):\n        self.n = 'a'\n"
        "    def test(self):\n        " + tell("self.n"), ["a"]),
    "used unnamed": (
        "box = []\n@pytest.fixture\ndef fill():\n    box.append('a')\n"
        "@pytest.mark.usefixtures('fill')\ndef test():\n    " + tell("box[0]"), ["a"]),
    "of a class": (
        "class TestIt:\n    word = 'a'\n    @pytest.fixture\n    def n(self):\n        return self.word\n"
        "    def test(self, n):\n        " + tell("n"), ["a"]),
    "with params": (
        "@pytest.fixture(params=['a', pytest.param('b', id='x')])\ndef n(request):\n    return request.param * 2\n"
        "def test(n):\n    " + tell("n"), ["aa", "bb"]),
    "with params further in": (
        "@pytest.fixture(params='ab')\ndef n(request):\n    return request.param\n@pytest.fixture\ndef k(n):\n"
        "    return n * 2\ndef test(k, n):\n    " + tell("k + n"), ["aaa", "bbb"]),
    "indirect": (
        "@pytest.fixture\ndef n(request):\n    return request.param * 2\n"
        "@pytest.mark.parametrize('n, k', [('a', 'b')], indirect=['n'])\ndef test(n, k):\n    "
        + tell("n + k"), ["aab"]),
    "indirect, all of them": (
        "@pytest.fixture\ndef n(request):\n    return request.param * 2\n"
        "@pytest.mark.parametrize('n', 'ab', indirect=True)\ndef test(n):\n    " + tell("n"), ["aa", "bb"]),
    "indirect, nobody knows which": (
        "@pytest.fixture\ndef n(request):\n    return request.param * 2\n"
        "@pytest.mark.parametrize('n', 'ab', indirect=some())\ndef test(n):\n    " + tell("n"), ["?", "?"]),
    "cases instead of a fixture": (
        "@pytest.fixture(params=[1, 2])\ndef n(request):\n    return 'f'\n"
        "@pytest.mark.parametrize('n', 'ab')\ndef test(n):\n    " + tell("n"), ["a", "b"]),
    "by a computed name": (
        "@pytest.fixture\ndef one():\n    yield 'a'\n@pytest.mark.parametrize('n', ['one'])\n"
        "def test(n, request):\n    " + tell("request.getfixturevalue(n)"), ["a"]),
    "that skips": (
        "@pytest.fixture\ndef n():\n    pytest.skip('no')\ndef test(n):\n    " + tell("'a'"), []),
    "that yields what it made inside a block": (
        "import contextlib\n@pytest.fixture\ndef n():\n    with contextlib.nullcontext('a') as made:\n"
        "        yield made\ndef test(n):\n    " + tell("n"), ["a"]),
    "nobody has": ("def test(n):\n    " + tell("n"), ["?"]),
}  # fmt: skip


@pytest.mark.parametrize("name", FIXTURES)
def test_fixtures(name: str) -> None:
    text, expected = FIXTURES[name]
    assert told(text) == expected


def test_fixtures_of_the_folder() -> None:
    conftest = (
        "pytest_plugins = ['more']\n@pytest.fixture\ndef n():\n    return 'far'\n"
        "@pytest.fixture\ndef k(n):\n    return n\n"
    )
    more = "@pytest.fixture\ndef third():\n    return 'third'\n"
    assert told("def test(n, k, third):\n    " + tell("n + k + third"), conftest=conftest, more=more) == ["farfarthird"]
    near = "@pytest.fixture\ndef n(n):\n    return n + 'near'\n"
    assert told(near + "def test(n):\n    " + tell("n"), conftest=conftest) == ["farnear"]
    assert told(near + "def test(k):\n    " + tell("k"), conftest=conftest) == ["farnear"]


def test_the_folder_of_a_test_is_its_own() -> None:
    other = tell("tmp_path / 'm'")
    text = "@pytest.fixture\ndef f(tmp_path):\n    return tmp_path / 'm'\n" + "".join(
        f"def test_{i}(tmp_path, f):\n    {tell('f')}\n    {other}\n" for i in range(2)
    )
    first, again, second, _ = (e.value for e in events(text))
    assert isinstance(first, PathValue)
    assert first == again
    assert first != second


def test_a_machine_decides_which_tests_run() -> None:
    text = "gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason='x')\n@gpu\ndef test():\n    " + tell("'a'")
    (event,) = events(text)
    assert [(c.kind, a) for c, a in event.path.items()] == [("machine", True)]
    text = "ALL = ['a'] + (['b'] if torch.cuda.is_available() else [])\n@pytest.mark.parametrize('n', ALL)\n"
    found = {(shown(e.value), tuple(e.path.values())) for e in events(text + "def test(n):\n    " + tell("n"))}
    assert found == {("a", (True,)), ("b", (True,)), ("a", (False,))}


def test_what_is_expected_to_fail() -> None:
    text = (
        "@pytest.mark.xfail(reason='x')\ndef test_a():\n    " + tell("'a'") + "\n"
        "@pytest.mark.parametrize('n', ['b', pytest.param('c', marks=pytest.mark.xfail)])\ndef test_b(n):\n    "
        + tell("n")
    )
    assert {shown(e.value): bool(e.expected) for e in events(text)} == {"a": True, "b": False, "c": True}


def test_a_case_does_not_see_what_another_left() -> None:
    text = "box = []\n@pytest.mark.parametrize('n', 'ab')\ndef test(n):\n    box.append(n)\n    " + tell("''.join(box)")
    assert told(text) == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class T(unittest.TestCase):\n    def setUp(self):\n        self.n = 'a'\n"
         "    def test(self):\n        {told}", "a"),
        ("class T(unittest.TestCase):\n    @classmethod\n    def setUpClass(cls):\n        cls.n = 'a'\n"
         "    def test(self):\n        {told}", "a"),
        ("class Base(unittest.TestCase):\n    n = 'a'\n    def setUp(self):\n        self.n = self.n * 2\n"
         "class T(Base):\n    def setUp(self):\n        super().setUp()\n    def test(self):\n        {told}", "aa"),
        ("class TestIt:\n    def setup_method(self):\n        self.n = 'a'\n    def test(self):\n        {told}", "a"),
        ("class TestIt:\n    @classmethod\n    def setup_class(cls):\n        cls.n = 'a'\n"
         "    def test(self):\n        {told}", "a"),
        ("class Mixin:\n    n = 'wrong'\n    def test(self):\n        {told}\n"
         "class T(Mixin, unittest.TestCase):\n    n = 'a'\n", "a"),
        ("class T(unittest.TestCase):\n    def test(self):\n        for n in ['a']:\n"
         "            with self.subTest(n=n):\n                self.n = n\n        {told}", "a"),
    ],
)  # fmt: skip
def test_what_sets_a_test_up(text: str, expected: str) -> None:
    assert set(told(text.format(told=tell("self.n")))) == {expected}


def test_patches_of_a_test() -> None:
    text = (
        "class C:\n    n = 'old'\nd = {'k': 'old'}\n"
        "def test(monkeypatch):\n    monkeypatch.setattr(C, 'n', 'a')\n    monkeypatch.setitem(d, 'k', 'b')\n"
        "    monkeypatch.setenv('E', 'c')\n    monkeypatch.setattr(torch.cuda, 'is_available', lambda: True)\n"
        "    with monkeypatch.context() as patch:\n        patch.setattr(C, 'n', 'inner')\n        "
        + tell("C.n")
        + "\n"
        "    " + tell("C.n + d['k'] + os.environ['E']") + "\n"
        "    if torch.cuda.is_available():\n        " + tell("'gpu'") + "\n    else:\n        " + tell("'none'") + "\n"
        "def test_other():\n    " + tell("C.n + d['k']")
    )
    assert told(text)[1:] == ["inner", "abc", "gpu", "oldold"]


def test_a_patch_by_name() -> None:
    text = "import lib\ndef test(monkeypatch):\n    monkeypatch.setattr('lib.n', 'new')\n    " + tell("lib.n")
    assert told(text, lib="n = 'old'\n") == ["new"]


def test_a_fixture_with_two_ways_is_no_constant() -> None:
    text = "@pytest.fixture\ndef n():\n    return 'a' if torch.cuda.is_available() else 'b'\ndef test(n):\n    " + tell(
        "n"
    )
    (event,) = events(text)
    assert isinstance(event.value, Choice | Unknown)


def test_what_no_case_makes_other_is_made_once_and_each_case_begins_with_it() -> None:
    fixture = f"@pytest.fixture\ndef made():\n    {tell(repr('made'))}\n    return []\n"
    text = f"{fixture}@pytest.mark.parametrize('n', 'ab')\ndef test(n, made):\n    made.append(n)\n    " + tell(
        "''.join(made)"
    )
    assert told(text) == ["made", "a", "b"]


def test_what_a_case_decides_is_made_for_each_answer() -> None:
    fixtures = (
        f"@pytest.fixture(params='xy')\ndef inner(request):\n    {tell('request.param')}\n    return request.param\n"
        "@pytest.fixture\ndef outer(inner):\n    return [inner]\n"
    )
    text = f"{fixtures}@pytest.mark.parametrize('n', 'ab')\ndef test(n, outer):\n    outer.append(n)\n    " + tell(
        "''.join(outer)"
    )
    assert told(text) == ["x", "xa", "xb", "y", "ya", "yb"]
