"""The environment: what the script writes it reads back, everything else is a symbol."""

from __future__ import annotations

import pytest

from aoti_lint.values.conditions import usual
from aoti_lint.values.events.process import EnvWrite
from aoti_lint.values.values import NONE, Choice, Const, Sym, Unknown
from tests.snippets import run


def test_a_variable_is_one_symbol_with_the_default_given() -> None:
    ran = run(
        "import os\na = os.environ.get('D', 'cuda')\nb = os.getenv('D', 'cuda')\n"
        "c = os.environ['D']\nd = os.getenv('D')\n"
    )
    assert isinstance(ran.value("a"), Sym)
    assert ran.value("a").default == Const("cuda")  # type: ignore[attr-defined]
    assert ran.value("a") == ran.value("b")
    assert ran.value("c") == ran.value("d")
    assert ran.value("d").default == NONE  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "write",
    [
        "os.environ['D'] = '1'",
        "os.environ.update(D='1')", "os.environ.update({'D': '1'})", "os.environ |= {'D': '1'}",
        "os.putenv('D', '1')", "from os import environ as e\ne['D'] = '1'",
    ],
)  # fmt: skip
def test_what_is_written_is_read_back_and_told(write: str) -> None:
    ran = run(f"import os\n{write}\na = os.environ.get('D', '0')\nb = 'D' in os.environ\nc = os.environ['D']\n")
    assert [ran.python(n) for n in "abc"] == ["1", True, "1"]
    assert [(e.name, e.value) for e in ran.events if isinstance(e, EnvWrite)] == [("D", Const("1"))]


@pytest.mark.parametrize(
    "delete", ["del os.environ['D']", "os.environ.pop('D')", "os.environ.pop('D', None)", "os.unsetenv('D')"]
)
def test_a_deleted_variable_is_not_set(delete: str) -> None:
    ran = run(f"import os\nos.environ['D'] = '1'\n{delete}\na = os.environ.get('D', 'none')\nb = 'D' in os.environ\n")
    assert ran.python("a") == "none"
    assert ran.python("b") is False


def test_a_variable_written_on_one_branch_keeps_both() -> None:
    ran = run("import os, sys\nif os.getenv('A'):\n    os.environ['D'] = '1'\na = os.environ.get('D', '0')\n")
    first, second = ran.arms("a")
    assert first == "1"
    assert isinstance(second, Sym)


def test_setdefault_leaves_what_the_user_set() -> None:
    ran = run("import os\nos.environ.setdefault('D', '1')\na = os.environ['D']\n")
    assert isinstance(ran.value("a"), Sym)
    assert ran.value("a").default == Const("1")  # type: ignore[attr-defined]


def test_writing_an_unknown_name_makes_all_others_unknown() -> None:
    ran = run("import os, other\nos.environ[other.name] = '1'\na = os.environ.get('D', '0')\n")
    assert isinstance(ran.value("a"), Unknown)


def test_leaving_ends_the_path() -> None:
    ran = run(
        "import os, sys\nx = 1\nif os.getenv('A'):\n    sys.exit(1)\n    x = 2\n"
        "y = 'cpu'\nif os.getenv('B'):\n    y = 'x'\n    exit()\nz = y\n"
    )
    assert ran.python("x") == 1
    assert ran.python("z") == "cpu"


def test_arguments_of_the_command_line_keep_their_identity() -> None:
    ran = run("import sys\na = sys.argv[1]\nb = sys.argv[1]\nc = sys.argv[2]\nsame, other = a == b, a == c\n")
    assert ran.python("same") is True
    assert ran.python("other") not in (True, False)


def test_the_platform_is_one_question_with_a_usual_answer() -> None:
    ran = run(
        "import sys\nx = 'so'\nif sys.platform == 'win32':\n    x = 'dll'\n"
        "y = sys.platform == 'win32'\nz = sys.platform.startswith('linux')\n"
    )
    assert ran.arms("x") == ["dll", "so"]
    y, z = ran.value("y"), ran.value("z")
    assert isinstance(y, Choice)
    assert isinstance(z, Choice)
    assert (usual(y.cond), usual(z.cond)) == (False, True)


@pytest.mark.parametrize(
    ("test", "answer"),
    [
        ("os.environ.get('D', 'cuda') == 'cuda'", True),
        ("os.environ.get('D', 'cuda') == 'cpu'", False),
        ("os.environ.get('D', 'cuda')", True),
        ("os.environ.get('D')", False),
        ("os.environ['D'] == 'cuda'", None),
        ("int(os.environ.get('N', '8')) > 4", True),
        ("os.environ.get('D', 'cuda').startswith('cu')", True),
        ("{'cuda': True, 'cpu': False}[os.environ.get('D', 'cpu')]", False),
    ],
)
def test_what_a_default_says_is_the_usual_answer(test: str, answer: bool | None) -> None:
    made = run(f"import os\nmade = 'yes' if {test} else 'no'\n").value("made")
    assert isinstance(made, Choice)
    assert usual(made.cond) is answer


def test_environ_taken_as_a_parameter() -> None:
    ran = run("import os\ndef configure(env):\n    env['D'] = '2'\nconfigure(os.environ)\na = os.environ['D']\n")
    assert ran.python("a") == "2"
