"""Copies of the environment, and what other programs are given."""

from __future__ import annotations

import pytest

from aoti_lint.values.events.process import EnvWrite
from aoti_lint.values.values import Const, Sym, Unknown
from tests.snippets import Ran, run

HEAD = "import os, subprocess, sys\n"
CHILD = (
    "import os\na = os.environ.get('A', 'none')\nb = os.environ.get('B', 'none')\nos.environ['SEEN'] = a + ' ' + b\n"
)


def child(text: str) -> tuple[Ran, list[object]]:
    """Run `text`, which starts the script `other.py`; gives what that saw in the variables A and B."""
    ran = run(HEAD + text, other=CHILD)
    return ran, [ran.plain(e.value) for e in ran.events if isinstance(e, EnvWrite) and e.name == "SEEN"]


def told(ran: Ran, text: str) -> list[tuple[str, object, str]]:
    """What was told of variables of children: name, value, and the text of the place."""
    source = HEAD + text
    return [
        (e.name, ran.plain(e.value), source.encode()[e.span.start : e.span.end].decode())
        for e in ran.events
        if isinstance(e, EnvWrite) and e.target == "child"
    ]


def test_a_copy_answers_as_the_environment_does() -> None:
    ran = run(
        "import os\nos.environ['A'] = '1'\nenv = os.environ.copy()\nos.environ['A'] = '2'\n"
        "a = env['A']\nb = env.get('B', 'cpu')\nc = os.environ.get('B', 'cpu')\nd = 'A' in env\n"
    )
    assert [ran.python("a"), ran.python("d")] == ["1", True]
    assert isinstance(ran.value("b"), Sym)
    assert ran.value("b") == ran.value("c")


@pytest.mark.parametrize(
    "make",
    [
        "os.environ.copy()\nenv['A'] = '1'",
        "os.environ.copy()\nenv.update(A='1')",
        "os.environ.copy()\nenv |= {'A': '1'}",
        "dict(os.environ, A='1')",
        "dict(os.environ)\nenv.setdefault('A', '1')\nenv['A'] = '1'",
        "os.environ | {'A': '1'}",
        "{**os.environ, 'A': '1'}",
        "{**os.environ, **{'A': '1'}}",
        "{**dict(os.environ), 'A': '1'}",
        "{**os.environ.copy(), 'A': '1'}",
    ],
)
def test_changing_a_copy_changes_the_child_alone(make: str) -> None:
    ran, seen = child(f"os.environ['B'] = '2'\nenv = {make}\nsubprocess.run([sys.executable, 'other.py'], env=env)\n")
    assert seen == ["1 2"]
    ran = run(f"{HEAD}env = {make}\na = env['A']\nb = os.environ.get('A')\n")
    assert ran.python("a") == "1"
    assert isinstance(ran.value("b"), Sym)
    assert not [e for e in ran.events if isinstance(e, EnvWrite)]


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("subprocess.run([sys.executable, 'other.py'], env={'A': '1'})", "1 none"),
        ("subprocess.Popen(['python', '-u', 'other.py'], env={})", "none none"),
        ("subprocess.run(['python', 'other.py'], env=None)", "0 0"),
        ("subprocess.run(['python', 'other.py'], env=os.environ)", "0 0"),
        ("subprocess.run('A=1 B= python other.py', shell=True)", "1 "),
        ("os.system('A=1 python other.py')", "1 0"),
        ("os.execve('/usr/bin/python', ['python', 'other.py'], {'A': '1'})", "1 none"),
        ("os.execv(sys.executable, [sys.executable, 'other.py'])", "0 0"),
        ("os.execlp('python', 'python', 'other.py')", "0 0"),
        ("os.spawnvpe(os.P_WAIT, 'python', ['python', 'other.py'], {'B': '1'})", "none 1"),
        ("os.spawnle(os.P_WAIT, 'python', 'python', 'other.py', {**os.environ, 'B': '1'})", "0 1"),
        ("os.posix_spawn('python', ['python', 'other.py'], {'A': '1'})", "1 none"),
    ],
)
def test_what_a_program_is_given(text: str, seen: str) -> None:
    assert child(f"os.environ['A'] = os.environ['B'] = '0'\n{text}\n")[1] == [seen]


def test_a_program_with_unknown_variables_is_not_known_to_see_any() -> None:
    ran = run(f"{HEAD}os.environ['A'] = '0'\nsubprocess.run(['python', 'other.py'], env=made())\n", other=CHILD)
    seen = [e.value for e in ran.events if isinstance(e, EnvWrite) and e.name == "SEEN"]
    assert len(seen) == 1
    assert not isinstance(seen[0], Const)


def test_a_copy_that_code_we_do_not_know_was_given_is_lost() -> None:
    ran = run(f"{HEAD}env = dict(os.environ, A='1')\nunknown(env)\na = env['A']\nb = env.get('B', '')\n")
    assert isinstance(ran.value("a"), Unknown)
    assert isinstance(ran.value("b"), Unknown)


def test_each_variable_of_a_child_is_told_where_it_is_written() -> None:
    text = "env = os.environ.copy()\nenv['A'] = '1'\nenv.pop('B', None)\nsubprocess.run(['make'], env=env)\n"
    ran, _ = child(text)
    assert told(ran, text) == [("A", "1", "env['A']"), ("B", None, "env.pop('B', None)")]
    text = "subprocess.run(['make'], env={**os.environ, 'A': '1'})\n"
    ran, _ = child(text)
    assert told(ran, text) == [("A", "1", "'A'")]
    text = "env = {'A': '1', 'B': x}\nsubprocess.run(['make'], env=env)\n"
    ran, _ = child(text)
    assert [(name, place) for name, _, place in told(ran, text)] == [("A", "'A'"), ("B", "'B'")]


def test_the_variables_of_this_process_are_told_once() -> None:
    text = "os.environ['A'] = '1'\nsubprocess.run(['make'], env=os.environ.copy())\n"
    ran, _ = child(text)
    assert told(ran, text) == []


def test_variables_in_front_of_the_environment_give_way_to_it() -> None:
    ran = run(HEAD + "os.environ['A'] = '1'\nenv = {'A': '0', 'B': '0', **os.environ}\na = env['A']\nb = env['B']\n")
    assert ran.python("a") == "1"
    assert isinstance(ran.value("b"), Sym)
    assert ran.value("b").default == Const("0")  # type: ignore[attr-defined]
