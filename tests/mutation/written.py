"""The fakes of a file as a reader of its text sees them, whether or not the linter links them to an op.

Only what a registration names in the same file: decorated functions, and functions handed over by name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

DECORATORS = ("register_fake", "_register_fake", "impl_abstract", "register_fake_if_exists", "_register_fake_if_exists")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def last_name(node: ast.expr) -> str:
    """The last part of a dotted name; empty for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def fakes(tree: ast.Module) -> list[ast.FunctionDef]:
    """The functions that some registration of the file makes the fake of an op, in order of their places."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    named = set(handed(tree))
    wrappers = {f.name for f in functions if _registers(f)}
    found = [
        f
        for f in functions
        if f.name not in wrappers and (f.name in named or any(_is_registration(d) for d in f.decorator_list))
    ]
    return sorted(found, key=lambda f: (f.lineno, f.col_offset))


def _is_registration(decorator: ast.expr) -> bool:
    if not isinstance(decorator, ast.Call):
        return last_name(decorator) in DECORATORS
    if last_name(decorator.func) in (*DECORATORS, "register_meta"):
        return True
    return last_name(decorator.func) == "impl" and any(_is_meta(a) for a in decorator.args)


def _is_meta(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == "Meta"


def _registers(function: ast.FunctionDef) -> bool:
    """Whether it only hands on to a registration what it is given: a wrapper of the project."""
    names = {a.arg for a in function.args.args}
    return any(
        isinstance(node, ast.Call)
        and last_name(node.func) in DECORATORS
        and any(isinstance(a, ast.Name) and a.id in names for a in node.args)
        for node in ast.walk(function)
    )


def handed(tree: ast.AST) -> Iterator[str]:
    """The names of the functions that are handed to a registration."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            if isinstance(node, ast.Dict):
                yield from (
                    value.id
                    for key, value in zip(node.keys, node.values, strict=True)
                    if key is not None and _is_meta(key) and isinstance(value, ast.Name)
                )
            continue
        for keyword in node.keywords:
            if keyword.arg == "fake_impl" and isinstance(keyword.value, ast.Name):
                yield keyword.value.id
        inner = node.func
        if isinstance(inner, ast.Call) and last_name(inner.func) in DECORATORS:
            yield from (a.id for a in node.args if isinstance(a, ast.Name))
        name = last_name(node.func)
        if name.lstrip("_") in ("register_fake", "impl_abstract", "try_register_fake") or (
            name == "impl" and any(_is_meta(a) for a in node.args)
        ):
            yield from (a.id for a in node.args[1:2] if isinstance(a, ast.Name))
