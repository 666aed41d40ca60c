"""How a piece of source understands the text of an environment variable: what is done with the text it reads.

What each way ("how") means, and what `words` holds, says `aoti_lint/torch_api/understanding.py`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

_OFF = {"", "0", "false", "no", "off", "n"}
_NUMBERS = {"int": "int", "float": "float", "bool": "truthy"}


@dataclass(frozen=True)
class Understanding:
    how: str
    words: tuple[str, ...] = ()


TEXT = Understanding("text")
_TRUTHY = Understanding("truthy")
_PRESENCE = Understanding("presence")

Parents = Mapping[ast.AST, ast.AST]


def understand(node: ast.expr, parents: Parents, function: ast.AST | None) -> Understanding:
    """What is done with the text that `node` gives.

    When the text is only given a name inside `function`, all that this function does with the name counts.
    """
    return combine(list(_uses(node, parents, function, folded=False)))


def combine(parts: list[Understanding]) -> Understanding:
    """One understanding for all that one function does with a variable.

    A test whether it is set adds nothing to what is done with its text.
    """
    found = set(parts)
    telling = found - {_TRUTHY, _PRESENCE} or found
    hows = {part.how for part in telling}
    for number in ("int", "float"):
        if number in hows:
            return Understanding(number, tuple(sorted({word for part in telling for word in part.words})))
    if len(telling) == 1:
        return next(iter(telling))
    if hows <= {"equals", "differs"}:
        words = tuple(sorted({word for part in telling for word in part.words}))
        return Understanding("switch") if words == ("0", "1") else Understanding("words", words)
    if hows <= {"equals", "differs", "equals in any case", "words"}:
        return Understanding("words", tuple(sorted({word for part in telling for word in part.words})))
    if hows == {"truthy", "presence"}:
        return _TRUTHY
    return TEXT


def _uses(node: ast.expr, parents: Parents, function: ast.AST | None, *, folded: bool) -> Iterator[Understanding]:
    parent = parents.get(node)
    if isinstance(parent, ast.Compare):
        yield _compared(node, parent, folded=folded)
    elif isinstance(parent, ast.Call) and node in parent.args:
        called = ast.unparse(parent.func)
        if called in ("os.environ.get", "os.getenv"):
            # The default of another variable.
            yield from _uses(parent, parents, function, folded=folded)
        else:
            yield Understanding(_NUMBERS.get(called, "text"))
    elif isinstance(parent, ast.Attribute) and parent.attr in ("lower", "upper", "strip"):
        call = parents.get(parent)
        if isinstance(call, ast.Call):
            yield from _uses(call, parents, function, folded=folded or parent.attr != "strip")
    elif isinstance(parent, ast.UnaryOp):
        yield _TRUTHY
    elif isinstance(parent, ast.BoolOp):
        yield from _in_choice(node, parent, parents, function, folded=folded)
    elif isinstance(parent, (ast.If, ast.While, ast.IfExp, ast.Assert)) and node is parent.test:
        yield _TRUTHY
    elif isinstance(parent, ast.IfExp):
        yield from _uses(parent, parents, function, folded=folded)
    elif isinstance(parent, ast.comprehension) and node in parent.ifs:
        yield _TRUTHY
    elif isinstance(parent, (ast.Assign, ast.NamedExpr)):
        yield from _named(parent, parents, function, folded=folded)
    else:
        yield TEXT


def _in_choice(
    node: ast.expr, choice: ast.BoolOp, parents: Parents, function: ast.AST | None, *, folded: bool
) -> Iterator[Understanding]:
    if isinstance(choice.op, ast.And) and node is not choice.values[-1]:
        yield _TRUTHY
    else:
        yield from _uses(choice, parents, function, folded=folded)


def _named(
    parent: ast.Assign | ast.NamedExpr, parents: Parents, function: ast.AST | None, *, folded: bool
) -> Iterator[Understanding]:
    target = parent.targets[0] if isinstance(parent, ast.Assign) else parent.target
    if isinstance(parent, ast.NamedExpr):
        yield from _uses(parent, parents, function, folded=folded)
        function = function or _statement(parent, parents)
    if not isinstance(target, ast.Name) or function is None:
        # The value is kept: who uses it cannot be told.
        yield TEXT
        return
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id == target.id and isinstance(node.ctx, ast.Load):
            yield from _uses(node, parents, None, folded=folded)


def _statement(node: ast.AST, parents: Parents) -> ast.AST:
    while not isinstance(node, ast.stmt):
        node = parents[node]
    return node


def _compared(node: ast.expr, comparison: ast.Compare, *, folded: bool) -> Understanding:
    other = comparison.comparators[0] if comparison.left is node else comparison.left
    operator = comparison.ops[0]
    if isinstance(operator, (ast.Is, ast.IsNot)):
        return _PRESENCE
    items = other.elts if isinstance(other, (ast.Tuple, ast.List, ast.Set)) else [other]
    words = tuple(sorted(i.value for i in items if isinstance(i, ast.Constant) and isinstance(i.value, str)))
    if len(words) != len(items) or len(comparison.ops) > 1:
        return TEXT
    off = {word.lower() in _OFF for word in words}
    if len(off) > 1:
        return Understanding("words", words)
    if True in off:
        return Understanding("words", words) if folded else Understanding("differs", words)
    return Understanding("equals in any case" if folded else "equals", words)
