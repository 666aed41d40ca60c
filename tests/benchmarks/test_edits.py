"""What the benchmark does to files between two checks."""

from __future__ import annotations

import ast
import random
from pathlib import Path

from benchmarks.edits import add_comment, add_statement

SOURCE = """\
import functools

def one(): return 1

class Two:
    @functools.cache
    def method(self):
        '''What it is.'''
        @functools.wraps(one)
        def inner(): return 2
        return inner()
"""


def test_a_statement_stands_in_a_function(tmp_path: Path) -> None:
    """Wherever it is put: the file is one of Python still, and one assignment longer."""
    path = tmp_path / "a.py"
    for seed in range(30):
        path.write_text(SOURCE)
        add_statement(path, random.Random(seed))
        bodies = [one.body for one in ast.walk(ast.parse(path.read_text())) if isinstance(one, ast.FunctionDef)]
        assert sum(isinstance(statement, ast.Assign) for body in bodies for statement in body) == 1


def test_where_there_is_no_function_a_comment_is_put(tmp_path: Path) -> None:
    for text in ("x = 1\n", "x = (\n"):
        (tmp_path / "a.py").write_text(text)
        add_statement(tmp_path / "a.py", random.Random(0))
        assert sorted((tmp_path / "a.py").read_text().splitlines()) == sorted(["# edited", text.strip()])


def test_a_comment_is_one_line_more(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(SOURCE)
    add_comment(tmp_path / "a.py", random.Random(1))
    assert ast.dump(ast.parse((tmp_path / "a.py").read_text())) == ast.dump(ast.parse(SOURCE))
