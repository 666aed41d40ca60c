"""Workers run what they are given."""

from __future__ import annotations

import pytest

from aoti_lint.values.events.process import EnvWrite
from tests.snippets import run

HEAD = (
    "import os, threading, asyncio, multiprocessing as mp\n"
    "from concurrent.futures import ThreadPoolExecutor, as_completed\n"
    "seen = None\ndef work(x, y=0):\n    global seen\n    seen = x\n    os.environ[x] = '1'\n    return x\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "threading.Thread(target=work, args=('a',)).start()",
        "t = threading.Thread(None, work, 'name', ('a',), {'y': 1})\nt.start()\nt.join()",
        "mp.Process(target=work, args=('a',)).start()",
        "with mp.Pool(2) as pool:\n    pool.map(work, ['a'])",
        "with mp.Pool(2) as pool:\n    pool.starmap(work, [('a', 1)])",
        "ThreadPoolExecutor().submit(work, 'a')",
        "with ThreadPoolExecutor() as pool:\n    list(pool.map(work, ['a']))",
        "async def main():\n    await asyncio.to_thread(work, 'a')\nasyncio.run(main())",
    ],
)
def test_the_function_runs(text: str) -> None:
    assert [e.name for e in run(f"{HEAD}{text}\n").events if isinstance(e, EnvWrite)] == ["a"]


def test_a_thread_changes_what_others_see_and_a_process_does_not() -> None:
    assert run(f"{HEAD}threading.Thread(target=work, args=('a',)).start()\n").python("seen") == "a"
    assert run(f"{HEAD}mp.Process(target=work, args=('a',)).start()\n").python("seen") is None


def test_results_come_back() -> None:
    ran = run(
        f"{HEAD}with ThreadPoolExecutor() as pool:\n    a = pool.submit(work, 'a').result()\n"
        f"    b = pool.map(work, ['b', 'c'])\n"
        "    c = [f.result() for f in as_completed([pool.submit(work, 'd')])]\n"
        "async def one():\n    return 1\nd = asyncio.run(one())\n"
    )
    assert ran.python("a") == "a"
    assert ran.python("b") == ["b", "c"]
    assert ran.python("c") == ["d"]
    assert ran.python("d") == 1


def test_a_worker_that_raises_ends_alone() -> None:
    assert (
        run(f"{HEAD}def bad():\n    raise ValueError\nx = 1\nthreading.Thread(target=bad).start()\nx = 2\n").python("x")
        == 2
    )
