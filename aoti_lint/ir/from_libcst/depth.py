"""Refusing expressions on which the parser would take minutes.

libcst needs time that grows with the square of an expression's depth, or worse: `f(f(f(…)))` nested 500 times takes ten
seconds. Nobody writes such code, but a file may hold it. As Python does not read the file, the operators in a statement
tell how deep it may be; for the few files with a statement long enough, so does what Python says is wrong.
"""

from __future__ import annotations

import ast

from aoti_lint.ir.stack import MAX_DEPTH
from aoti_lint.lazily.regex import regex

MAX_PATTERN = 16
"""Brackets in each other in a pattern of `match`: each more takes libcst twice the time, each more brace six times."""

# A deep expression has at least this many characters and operators.
_SUSPICIOUS_SIZE = MAX_DEPTH
_HOPELESS_OPERATORS = 2_000
_OPERATOR = regex(r"[-+*/%@|&^~.(\[{]|\b(?:if|lambda|not|await)\b")
_CASE = regex(r"[ \t]*case\b[ \t]*[\[({\w\"']")
_STRING = regex(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|#.*""")
_WEIGHTS = {"(": 1, "[": 1, "{": 2, ")": -1, "]": -1, "}": -2}
_STATEMENT = regex(r"\s*(?:def|class|import|from|@|return|if|for|with|try)\b")


def is_too_deep(text: str) -> bool:
    """Whether an expression in `text`, which Python does not read, may be nested more than `MAX_DEPTH` deep."""
    if _has_deep_pattern(text):
        return True
    operators = max((len(_OPERATOR.findall(statement)) for statement in _long_statements(text)), default=0)
    if operators < MAX_DEPTH:
        return False
    try:
        ast.parse(text)
    except (RecursionError, MemoryError):
        return True
    except SyntaxError as error:
        # The syntax may be newer than the Python that runs us.
        return "too many nested" in (error.msg or "") or operators >= _HOPELESS_OPERATORS
    except ValueError:
        pass
    return False


def _has_deep_pattern(text: str) -> bool:
    """Whether a `case` has more brackets in each other than can be parsed, as far as counting brackets can tell."""
    depth = 0
    for line in text.splitlines():
        if _CASE.match(line):
            depth = 0
        elif not depth:
            continue
        for char in _STRING.sub("", line):
            depth += _WEIGHTS.get(char, 0)
            if depth > MAX_PATTERN:
                return True
        depth = max(depth, 0)
    return False


def _long_statements(text: str) -> list[str]:
    """The longer runs of lines that are held together by brackets, as far as counting brackets can tell."""
    found: list[str] = []
    run: list[str] = []
    depth = size = 0
    for line in text.splitlines():
        if depth and _STATEMENT.match(line):
            # A bracket in a string or a comment was counted.
            depth = 0
        if not depth:
            if size >= _SUSPICIOUS_SIZE:
                found.append("\n".join(run))
            run, size = [], 0
        run.append(line)
        size += len(line)
        opened = line.count("(") + line.count("[") + line.count("{")
        closed = line.count(")") + line.count("]") + line.count("}")
        depth = max(0, depth + opened - closed) + line.endswith("\\")
    if size >= _SUSPICIOUS_SIZE:
        found.append("\n".join(run))
    return found
