"""Expected exceptions, swallowed ones, patches and the helpers of tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from aoti_lint.cli.main import main
from aoti_lint.values.events.process import EnvWrite
from aoti_lint.values.torch_values import Loaded
from aoti_lint.values.values import Sym, Unknown
from tests.snippets import run

HEAD = "import contextlib, os, pytest, unittest\nfrom unittest import mock\nfrom unittest.mock import patch\n"
WRITE = "os.environ['D'] = '1'"


def guards(text: str) -> list[tuple[set[str], set[str]]]:
    """What is caught and what is expected around each write of a variable."""
    return [(set(e.caught), set(e.expected)) for e in run(HEAD + text).events if isinstance(e, EnvWrite)]


@pytest.mark.parametrize(
    ("text", "caught", "expected"),
    [
        (f"with pytest.raises(RuntimeError):\n    {WRITE}\n", set(), {"RuntimeError"}),
        (f"with pytest.raises((RuntimeError, ValueError), match='x') as e:\n"
         f"    {WRITE}\n", set(), {"RuntimeError", "ValueError"}),
        (f"def f(x):\n    {WRITE}\npytest.raises(RuntimeError, f, 1)\n", set(), {"RuntimeError"}),
        (f"with contextlib.suppress(OSError):\n    {WRITE}\n", {"OSError"}, set()),
        (f"class Mine(Exception):\n    pass\nwith contextlib.suppress(Mine):\n    {WRITE}\n", {"Mine"}, set()),
        (f"with contextlib.ExitStack() as s:\n"
         f"    s.enter_context(pytest.raises(ValueError))\n    {WRITE}\n", set(), {"ValueError"}),
        (f"with contextlib.nullcontext():\n    {WRITE}\n", set(), set()),
        (f"x = os.getenv('A')\nwith (contextlib.suppress(OSError) if x else contextlib.nullcontext()):\n"
         f"    pass\n{WRITE}\n", set(), set()),
        (
            f"class T(unittest.TestCase):\n    def test(self):\n        with self.assertRaises(KeyError):\n"
            f"            {WRITE}\nT().test()\n",
            set(),
            {"KeyError"},
        ),
        (
            f"class T(unittest.TestCase):\n    def test(self):\n        self.assertRaisesRegex(KeyError, 'x', self.f)\n"
            f"    def f(self):\n        {WRITE}\nT().test()\n",
            set(),
            {"KeyError"},
        ),
    ],
)  # fmt: skip
def test_what_is_caught_and_what_is_expected(text: str, caught: set[str], expected: set[str]) -> None:
    assert guards(text) == [(caught, expected)]


def test_the_guard_ends_with_the_block() -> None:
    assert guards(f"with pytest.raises(ValueError):\n    pass\n{WRITE}\n") == [(set(), set())]
    assert guards(f"with contextlib.ExitStack() as s:\n    s.enter_context(pytest.raises(ValueError))\n{WRITE}\n") == [
        (set(), set())
    ]


def test_code_goes_on_behind_an_expected_exception() -> None:
    ran = run(
        HEAD + "x = 1\nwith pytest.raises(ValueError):\n    raise ValueError\nx = 2\n"
        "with contextlib.suppress(OSError):\n    raise OSError\nx = 3\n"
    )
    assert ran.python("x") == 3


def test_managers_of_each_alternative_are_entered() -> None:
    ran = run(
        f"{HEAD}@contextlib.contextmanager\ndef named(n):\n    yield n\n"
        "with (named('a') if os.getenv('A') else contextlib.nullcontext('b')) as x:\n    y = x\n"
    )
    assert ran.arms("y") == ["a", "b"]


def test_a_generator_manager_that_is_stored_first() -> None:
    ran = run(
        f"{HEAD}log = []\n@contextlib.contextmanager\ndef named(n):\n"
        f"    log.append('in')\n    yield n\n    log.append('out')\n"
        "cm = named('a')\nwith cm as x:\n    log.append(x)\nbefore = list(log)\n"
    )
    assert ran.python("before") == ["in", "a", "out"]


@pytest.mark.parametrize("target", ["os.environ", "'os.environ'"])
def test_a_patched_variable_is_taken_back(target: str) -> None:
    ran = run(
        f"{HEAD}with patch.dict({target}, {{'D': '1'}}, E='2'):\n"
        f"    a, b = os.environ['D'], os.environ['E']\nc = os.getenv('D')\n"
    )
    assert ran.python("a") == "1"
    assert ran.python("b") == "2"
    assert isinstance(ran.value("c"), Sym)


def test_a_patched_attribute_is_taken_back() -> None:
    ran = run(
        f"{HEAD}class C:\n    size = 1\nwith mock.patch.object(C, 'size', 2):\n    a = C.size\nb = C.size\n"
        "d = {'k': 1}\nwith mock.patch.dict(d, k=5):\n    e = d['k']\nf = d['k']\n"
    )
    assert [ran.python(n) for n in "abef"] == [2, 1, 5, 1]


def test_a_patch_on_a_stack_holds_to_the_end_of_the_stack() -> None:
    ran = run(
        f"{HEAD}class C:\n    size = 1\nwith contextlib.ExitStack() as stack:\n"
        "    stack.enter_context(mock.patch.object(C, 'size', 2))\n"
        "    v = stack.enter_context(contextlib.nullcontext('v'))\n"
        "    a = C.size\nb = C.size\n"
    )
    assert [ran.python(n) for n in "abv"] == [2, 1, "v"]


def test_skipping_ends_the_path() -> None:
    ran = run(f"{HEAD}x = 1\ny = 'cuda'\nif os.getenv('A'):\n    y = 'cpu'\n    pytest.skip('no')\nz = y\n")
    assert ran.python("z") == "cuda"


def test_checks_leave_what_they_are_given() -> None:
    ran = run(
        f"{HEAD}class T(unittest.TestCase):\n    def test(self):\n        items = [1]\n"
        f"        self.assertEqual(items, [1])\n        return items\n"
        "made = T().test()\n"
    )
    assert ran.python("made") == [1]


def test_a_mock_is_unknown() -> None:
    assert isinstance(run(f"{HEAD}with mock.patch('a.b') as x:\n    y = x\n").value("y"), Unknown)


MOCKED = "def f():\n    return torch._inductor.aoti_load_package('a')\nwith {}:\n    a = f()\nb = f()\n"


@pytest.mark.parametrize(
    "patch",
    [
        "mock.patch('torch._inductor.aoti_load_package', return_value=5)",
        "mock.patch('torch._inductor.aoti_load_package', lambda path: 5)",
        "mock.patch.object(torch._inductor, 'aoti_load_package', return_value=5)",
    ],
)
def test_a_function_of_torch_is_replaced_inside_a_patch(patch: str) -> None:
    ran = run(f"{HEAD}import torch\n{MOCKED.format(patch)}")
    assert ran.python("a") == 5
    assert isinstance(ran.value("b"), Loaded)


def test_a_function_runs_inside_the_patches_that_decorate_it() -> None:
    ran = run(
        f"{HEAD}import torch\n"
        "@mock.patch.object(torch._inductor, 'aoti_load_package', return_value=2)\n"
        "@mock.patch('torch._inductor.aoti_load_package', return_value=5)\n"
        "def f(first=None, second=None):\n    return torch._inductor.aoti_load_package('a')\n"
        "a = f()\nb = torch._inductor.aoti_load_package('a')\n"
    )
    assert ran.python("a") == 5
    assert isinstance(ran.value("b"), Loaded)


def test_a_mock_is_nothing_we_know() -> None:
    patch = "mock.patch('torch._inductor.aoti_load_package')"
    ran = run(f"{HEAD}import torch\n{MOCKED.format(patch)}")
    assert isinstance(ran.value("a"), Unknown)


def test_a_class_that_is_skipped_stays_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tests = "class T(Base):\n    def test(self):\n        torch.export.export(torch.nn.Linear(8, 4), [torch.ones(8)])\n"
    start = "import unittest\nimport torch\nclass Base(unittest.TestCase):\n    pass\n"
    for mark, code in (("", 1), ("@unittest.skipIf(True, 'never')\n", 0)):
        (tmp_path / "test_net.py").write_text(start + mark + tests, encoding="utf-8")
        assert main(["check", "--no-cache", str(tmp_path / "test_net.py")]) == code
        assert ("AOTI214" in capsys.readouterr().out) is bool(code)


def test_what_took_too_long_in_one_case_is_as_unknown_in_the_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = "def slow():\n    STATE['n'] = 3\n" + "    a = 1\n" * 700
    test = (
        "import pytest\nimport torch\nSTATE = {'n': 2}\n" + slow + "@pytest.mark.parametrize('k', [1, 2, 3])\n"
        "def test(k):\n    slow()\n    x = torch.randn(STATE['n'], 8)\n"
        "    torch.export.export(torch.nn.Linear(8, 4), (x,)).module()(torch.randn(3, 8))\n"
    )
    for text, code in ((test, 0), (test.replace("    slow()\n", ""), 1)):
        (tmp_path / "test_net.py").write_text(text, encoding="utf-8")
        assert main(["check", "--no-cache", str(tmp_path / "test_net.py")]) == code
        assert ("error[AOTI301]" in capsys.readouterr().out) is bool(code)
