"""Lists, dicts, sets and tuples: methods do what Python's do, or nothing is known afterwards."""

from __future__ import annotations

import collections
import copy
import functools
import itertools
import operator
import types

import pytest

from aoti_lint.values.values import Unknown
from tests.snippets import run

HEAD = "import collections, copy, functools, itertools, operator, os, types\nx = os.environ.get('X')\n"
NAMES = {
    "collections": collections, "copy": copy, "functools": functools, "itertools": itertools, "operator": operator,
    "types": types,
}  # fmt: skip


@pytest.mark.parametrize(
    ("setup", "result"),
    [
        ("a = [1]\na.append(2)\na.extend((3, 4))\na.insert(0, 0)", "a"),
        ("a = [1, 2, 3]\nb = a.pop()\nc = a.pop(0)", "(a, b, c)"),
        ("a = [1, 2, 3]\na.remove(2)\na.reverse()", "a"),
        ("a = [3, 1, 2]\na.sort()\nb = a.copy()\na.sort(reverse=True)\na.clear()", "(a, b)"),
        ("a = ['x', 'y', 'x']", "(a.index('y'), a.count('x'))"),
        ("a = [1]\nb = a\nb.append(2)", "a"),
        ("a = collections.deque([1, 2])\na.appendleft(0)\nb = a.popleft()", "(list(a), b)"),
        ("d = {'a': 1}\nd.update(b=2)\nd.update({'c': 3})\nd.update([('e', 4)])", "d"),
        ("d = {'a': 1}\nb = d.get('a'), d.get('z'), d.get('z', 5)", "b"),
        ("d = {'a': 1}\nb = d.setdefault('a', 2), d.setdefault('b', 3)", "(b, d)"),
        ("d = {'a': 1, 'b': 2}\nb = d.pop('a'), d.pop('z', None)", "(b, d)"),
        ("d = {'a': 1, 'b': 2}", "[list(d.items()), list(d.keys()), list(d.values())]"),
        ("d = {'a': 1}\ne = d.copy()\ne['a'] = 2\nf = d.popitem()", "(d, e, f)"),
        ("d = dict.fromkeys(['a', 'b'], 0)", "d"),
        ("d = collections.OrderedDict(a=1, b=2)\nd.move_to_end('a')", "list(d.items())"),
        ("d = collections.defaultdict(list)\nd['a'].append(1)\nd['a'].append(2)", "d['a']"),
        ("d = collections.ChainMap({'a': 1}, {'a': 2, 'b': 3})\ne = d['a'], d['b']", "e"),
        ("s = {1}\ns.add(2)\ns.update([2, 3])\ns.discard(1)", "s"),
        ("s = {1, 2}", "(s.union([3]), s.intersection({2}), s.difference([1]))"),
        (
            "P = collections.namedtuple('P', 'a b', defaults=[9])\np = P(1)\nq = p._replace(a=2)",
            "(p.a, p.b, q.a, q._asdict())",
        ),
        ("n = types.SimpleNamespace(a=1)\nn.b = 2", "(n.a, n.b, vars(n))"),
        ("a = list(itertools.product([1, 2], 'xy'))", "a"),
        ("a = list(itertools.chain([1], [2, 3]))\nb = list(itertools.chain.from_iterable([[1], [2]]))", "(a, b)"),
        ("a = list(itertools.islice([1, 2, 3], 1, 3))\nb = list(itertools.repeat(0, 2))", "(a, b)"),
        ("f = operator.itemgetter('a')\nb = f({'a': 1})", "b"),
        ("n = types.SimpleNamespace(a=types.SimpleNamespace(b=2))\nb = operator.attrgetter('a.b')(n)", "b"),
        (
            "a = functools.reduce(operator.mul, [2, 3, 4], 1)\nb = functools.reduce(lambda p, q: p + q, [1, 2])",
            "(a, b)",
        ),
        ("a = [[1], 2]\nb = copy.deepcopy(a)\nb[0].append(3)\nc = copy.copy(a)\nc[0].append(4)", "(a, b, c)"),
        ("a = (1, 2, 1)", "(a.index(2), a.count(1))"),
    ],
)
def test_what_python_does(setup: str, result: str) -> None:
    namespace = dict(NAMES)
    exec(setup, namespace)
    expected = eval(result, namespace)
    found = run(f"{HEAD}{setup}\nmade = {result}\n").python("made")
    assert found == expected


@pytest.mark.parametrize(
    ("setup", "result"),
    [
        ("a = [1, 2]\na.remove(x)", "a"),
        ("a = [x, 1]\na.sort()", "a"),
        ("a = [1]\na.extend(other.items)", "a"),
        ("a = [1, 2]\na.sort(key=len)", "a"),
        ("d = {'a': 1}\nd[x] = 2", "d"),
        ("d = {'a': 1}\nd.update(other.items)", "d"),
        ("d = other.load()", "d['a']"),
        ("s = {1}\ns.add(x.lower)\ns.discard(other.thing)", "s"),
        ("d = collections.Counter('aab')", "d['a']"),
    ],
)
def test_what_is_not_known_is_not_said(setup: str, result: str) -> None:
    made = run(f"{HEAD}import other\n{setup}\nmade = {result}\n").python("made")
    assert not isinstance(made, list | dict | set | int | tuple)


def test_an_entry_of_an_unknown_dict_is_one_value() -> None:
    ran = run(
        f"{HEAD}import yaml\ncfg = yaml.safe_load('x')\na, b, c = cfg['d'], cfg['d'], cfg.get('d')\n"
        f"d = {{**cfg}}\ne, f = d['k'], d['k']\n"
    )
    assert ran.value("a") == ran.value("b")
    assert ran.value("e") == ran.value("f")
    assert isinstance(ran.value("a"), Unknown)


def test_an_item_added_on_one_branch_keeps_both_lists() -> None:
    ran = run(
        f"{HEAD}a = [1]\nif x:\n    a.append(2)\na.append(3)\nb = 0\nif x:\n    b = tuple(a)\nelse:\n    b = tuple(a)\n"
    )
    assert ran.arms("b") == [(1, 2, 3), (1, 3)]


def test_an_option_chooses_an_entry() -> None:
    text = (
        "import argparse\np = argparse.ArgumentParser()\n"
        "p.add_argument('--d', default='gpu', choices=['gpu', 'host'])\n"
        "p.add_argument('--e', default='gpu')\nargs = p.parse_args()\nnames = {'gpu': 'cuda', 'host': 'cpu'}\n"
        "a = names[args.d]\nb = names[args.e]\nc = names.get(args.e, 'xpu')\nsame = a == names[args.d]\n"
    )
    ran = run(text)
    assert ran.arms("a") == ["cuda", "cpu"]
    assert ran.arms("b") == ["cuda", "cpu"]
    assert ran.arms("c") == ["cuda", "cpu", "xpu"]
    assert ran.python("same") is True


def test_a_deep_copy_of_an_instance_has_its_own_attributes() -> None:
    ran = run(
        f"{HEAD}class C:\n    def __init__(self):\n        self.items = [1]\n"
        f"a = C()\nb = copy.deepcopy(a)\nc = copy.copy(a)\n"
        "b.items.append(2)\nc.items.append(3)\nc.more = 1\nd, e, f = a.items, b.items, c.items\nsame = type(b) is C\n"
    )
    assert [ran.python(n) for n in "def"] == [[1, 3], [1, 2], [1, 3]]


@pytest.mark.parametrize("step", ["t + t", "t * 2", "(*t, *t)", "[*t, *t]", "(t, t)", "list(t) + list(t)"])
def test_sequences_that_double(step: str) -> None:
    ran = run("t = (1,)\n" + f"t = {step}\n" * 60)
    assert ran.value("t") is not None


@pytest.mark.parametrize("bounds", ["::0", "'a':", ":1.5"])
def test_slices_that_raise(bounds: str) -> None:
    assert isinstance(run(f"t = (1, 2)\na = t[{bounds}]\n").value("a"), Unknown)
