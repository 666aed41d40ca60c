"""What Python does with values, where a shortcut of the interpreter would give a wrong one."""

from __future__ import annotations

from aoti_lint.values.torch_values import Device
from aoti_lint.values.values import Const, Sym
from tests.snippets import run

START = "import torch\nimport torch.nn as nn\n"


def test_setattr_of_a_class_stores_what_it_likes() -> None:
    ran = run(
        "class Upper:\n"
        "    def __setattr__(self, name, value):\n"
        "        object.__setattr__(self, name, value.upper())\n"
        "one = Upper()\n"
        "one.device = 'cuda'\n"
        "device = one.device\n"
    )
    assert ran.python("device") != "cuda"


def test_else_of_a_loop_runs_only_where_no_round_broke() -> None:
    ran = run(
        "found = other = device = 'cpu'\n"
        "for name in open('names'):\n"
        "    if name == 'gpu':\n"
        "        found = 'cuda'\n"
        "        break\n"
        "else:\n"
        "    found = 'none'\n"
        "count = 0\n"
        "while count < 1000:\n"
        "    count += 1\n"
        "    if count == 5:\n"
        "        break\n"
        "else:\n"
        "    other = 'cuda'\n"
        "while True:\n"
        "    count += 1\n"
        "    if count > 100:\n"
        "        break\n"
        "else:\n"
        "    device = 'cuda'\n"
    )
    assert {"cuda", "none"} <= set(ran.arms("found"))
    assert set(ran.arms("other")) == {"cpu", "cuda"}
    assert ran.python("device") == "cpu"


def test_two_options_may_be_given_the_same_value() -> None:
    ran = run(
        "import argparse\n"
        "parser = argparse.ArgumentParser()\n"
        "for name in ('--first', '--second', '--third'):\n"
        "    parser.add_argument(name)\n"
        "args = parser.parse_args()\n"
        "both = 'no'\n"
        "if args.first == args.second:\n"
        "    if args.first == args.third:\n"
        "        both = 'yes'\n"
        "    if args.first == 'cuda':\n"
        "        both = 'cuda'\n"
    )
    assert {"no", "yes", "cuda"} <= set(ran.arms("both"))


def test_what_a_generator_does_between_its_items_is_not_done_before_them() -> None:
    ran = run(
        START + "model = nn.Linear(2, 3)\n"
        "def devices():\n"
        "    for name in ('cpu', 'cuda'):\n"
        "        model.to(name)\n"
        "        yield name\n"
        "places = []\n"
        "for name in devices():\n"
        "    places.append(next(model.parameters()).device)\n"
        "def sizes(seen):\n"
        "    seen.append(1)\n"
        "    yield 1\n"
        "once = []\n"
        "for size in sizes(once):\n"
        "    count = len(once)\n"
    )
    assert not any(isinstance(p, Device) for p in ran.python("places"))  # type: ignore[attr-defined]
    assert ran.python("count") == 1


def test_names_that_are_set_through_tables_and_by_run_code() -> None:
    ran = run(
        "import sys\n"
        "one = two = three = four = five = 'cpu'\n"
        "def keep(): return 1\n"
        "globals()['one'] = 'cuda'\n"
        "globals().update(two='cuda')\n"
        "vars()['three'] = 'cuda'\n"
        "exec(\"four = 'cuda'\")\n"
        "before = five\n"
        "exec(open(sys.argv[1]).read())\n"
        "after = five\n"
        "still = keep()\n"
        "exec('five = 1', {'five': 2})\n"
    )
    assert ran.python("still") == 1
    defaults = {"one": "cuda", "two": "cuda", "three": "cuda", "before": "cpu"}
    for name in (*defaults, "four", "after"):
        value = ran.value(name)
        assert isinstance(value, Sym)
        if name in defaults:
            assert value.default == Const(defaults[name])


def test_deleted_attributes() -> None:
    ran = run(
        "class Settings:\n"
        "    device = 'cpu'\n"
        "one = Settings()\n"
        "one.device, one.size = 'cuda', 3\n"
        "del one.size\n"
        "delattr(one, 'device')\n"
        "device, there = one.device, hasattr(one, 'size')\n"
    )
    assert ran.python("device") == "cpu"
    assert ran.python("there") is not True


def test_new_may_give_an_older_instance() -> None:
    ran = run(
        "class Single:\n"
        "    made = None\n"
        "    def __new__(cls, *args):\n"
        "        if cls.made is None:\n"
        "            cls.made = super().__new__(cls)\n"
        "        return cls.made\n"
        "    def __init__(self, device):\n"
        "        self.device = device\n"
        "first, second = Single('cpu'), Single('cuda')\n"
        "device = first.device\n"
    )
    assert ran.python("device") == "cuda"


def test_a_handler_goes_on_with_what_was_bound_when_the_exception_left() -> None:
    ran = run(
        "import sys\n"
        "big = len(sys.argv) > 1\n"
        "try:\n"
        "    size = 2\n"
        "    if not big:\n"
        "        raise ValueError\n"
        "    size = 5\n"
        "except ValueError:\n"
        "    pass\n"
        "agree = (size == 5) == big\n"
    )
    assert set(ran.arms("size")) == {2, 5}
    assert set(ran.arms("agree")) == {True}
