"""What the rewrites must know of a script: which names a statement reads and binds, and what may be moved."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator, Sequence

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Compound = ast.If | ast.For | ast.While | ast.With | ast.Try

QUIET_CALLS = {"Dim", "arange", "eval", "ones", "rand", "randn", "tensor", "zeros"}
"""Last names of calls that only make a value. Scripts here set no seed, so the order of random numbers is free."""


def reads(statement: ast.stmt) -> set[str]:
    """The names a statement reads of the scope it stands in, also from inside functions and comprehensions."""
    table = symtable.symtable(ast.unparse(ast.fix_missing_locations(statement)), "statement", "exec")
    found = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_referenced()}
    inner = table.get_children()
    while inner:
        table = inner.pop()
        found |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
        inner += table.get_children()
    return found


def binds(statement: ast.stmt) -> set[str]:
    """The names a statement binds in the scope it stands in."""
    if isinstance(statement, Definition):
        return {statement.name}
    found: set[str] = set()
    for node in _same_scope(statement):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.ExceptHandler) and node.name:
            found.add(node.name)
    return found


def _same_scope(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what is inside it, without the insides of functions, classes, lambdas and comprehensions."""
    yield node
    inner = (*Definition.__args__, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
    if isinstance(node, inner):
        return
    for child in ast.iter_child_nodes(node):
        yield from _same_scope(child)


def all_names(tree: ast.Module) -> set[str]:
    """Every identifier in the script, so that a new one can be chosen."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.alias(name=name, asname=other):
                found |= {name.split(".")[0], other or ""}
    return found


class Fresh:
    """Gives names the script does not use."""

    def __init__(self, tree: ast.Module) -> None:
        self._taken = all_names(tree)

    def __call__(self, stem: str) -> str:
        number = 0
        while (name := f"{stem}_{number}") in self._taken:
            number += 1
        self._taken.add(name)
        return name


def head_and_rest(tree: ast.Module) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The docstring and imports a script starts with, and what follows."""
    count = 0
    for statement in tree.body:
        is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not (isinstance(statement, ast.Import | ast.ImportFrom) or (is_text and count == 0)):
            break
        count += 1
    return tree.body[:count], tree.body[count:]


def free_definitions(head: Sequence[ast.stmt], rest: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The functions and classes of `rest` that need nothing of the statements around them.

    They may stand before all other statements. A decorator may register something, so a decorated one
    may only if it stands before all other statements already.
    """
    definitions = [statement for statement in rest if isinstance(statement, Definition)]
    first = next((index for index, statement in enumerate(rest) if not isinstance(statement, Definition)), len(rest))
    kept = [node for node in definitions if not decorated(node) or rest.index(node) < first]
    while True:
        bound = set().union(*(binds(s) for s in rest if s not in kept)) if len(kept) < len(rest) else set[str]()
        fewer = [node for node in kept if not (reads(node) | binds(node)) & bound]
        if len(fewer) == len(kept):
            return [*kept]
        kept = fewer


def decorated(node: ast.stmt) -> bool:
    return isinstance(node, Definition) and bool(node.decorator_list)


def says_global(tree: ast.Module) -> bool:
    return any(isinstance(node, ast.Global | ast.Nonlocal) for node in ast.walk(tree))


def dotted(node: ast.expr) -> str | None:
    """`a.b.c` as text, None for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return base and f"{base}.{node.attr}"
    return None


def is_pure(node: ast.AST, classes: set[str]) -> bool:
    """Whether an expression may be evaluated a little earlier: it reads names and makes values, no more."""
    for inner in ast.walk(node):
        match inner:
            case ast.Call(func=func):
                name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
                if name not in QUIET_CALLS and name not in classes:
                    return False
            case ast.Await() | ast.Yield() | ast.YieldFrom() | ast.NamedExpr() | ast.Lambda() | ast.Starred():
                return False
    return True


def class_names(tree: ast.Module) -> set[str]:
    return {node.name for node in tree.body if isinstance(node, ast.ClassDef)}


def statement_lists(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """The list of top-level statements and the lists inside its `if`, `with`, `try` and loops."""

    def walk(statements: list[ast.stmt]) -> Iterator[list[ast.stmt]]:
        yield statements
        for statement in statements:
            if isinstance(statement, Compound):
                for name in ("body", "orelse", "finalbody"):
                    if inner := getattr(statement, name, None):
                        yield from walk(inner)
                for handler in getattr(statement, "handlers", []):
                    yield from walk(handler.body)

    yield from walk(tree.body)


def is_simple(statement: ast.stmt) -> bool:
    """A statement that is evaluated once, as a whole."""
    return isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr | ast.Return)


def calls_at_once(node: ast.AST) -> Iterator[ast.Call]:
    """The calls inside that are made exactly once when the statement runs, innermost first."""
    lazy = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.BoolOp)
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, lazy):
            yield from calls_at_once(child)
    if isinstance(node, ast.Call):
        yield node
