"""Rewrites of where code stands: in `main`, behind an early return, in two modules, in another order, under other
names.
"""

from __future__ import annotations

import ast

from tests.metamorphic.names import (
    Definition,
    Fresh,
    binds,
    class_names,
    decorated,
    free_definitions,
    head_and_rest,
    is_pure,
    reads,
    says_global,
)


def wrap_in_main(tree: ast.Module) -> ast.Module | None:
    """The statements go into `main()`, called under a main guard; functions and classes stay outside where they can."""
    return _into_main(tree, [])


def early_return(tree: ast.Module) -> ast.Module | None:
    """As `wrap_in_main`, and `main()` returns at once when an option asks for something else."""
    argv = ast.parse("if '--version' in sys.argv:\n    print('1.0')\n    return").body
    head, rest = head_and_rest(tree)
    if any("sys" in binds(statement) for statement in rest):
        return None
    if not any("sys" in binds(statement) for statement in head):
        tree.body = [*head, ast.Import([ast.alias("sys")]), *rest]
    return _into_main(tree, argv)


def _into_main(tree: ast.Module, start: list[ast.stmt]) -> ast.Module | None:
    head, rest = head_and_rest(tree)
    if says_global(tree) or any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in rest):
        return None
    kept = free_definitions(head, rest)
    body = [statement for statement in rest if statement not in kept]
    inside = set().union(*(binds(statement) for statement in body)) if body else set[str]()
    outside = set().union(*(binds(statement) for statement in [*head, *kept]))
    if not body or inside & outside:
        return None
    name = Fresh(tree)("main")
    nothing = ast.arguments([], [], None, [], [], None, [])
    function = ast.FunctionDef(name, nothing, [*start, *body], [])
    guard = ast.parse(f"if __name__ == '__main__':\n    {name}()").body
    tree.body = [*head, *kept, function, *guard]
    return tree


def two_modules(tree: ast.Module) -> dict[str, ast.Module] | None:
    """Functions, classes and registrations that can stand alone go to `parts.py` and are imported from there."""
    head, rest = head_and_rest(tree)
    kept = free_definitions(head, rest)
    body = [statement for statement in rest if statement not in kept]
    if not kept or not body or says_global(tree):
        return None
    module = Fresh(tree)("parts")
    wanted = sorted(set().union(*(binds(node) for node in kept)) & set().union(*(reads(node) for node in body)))
    take: ast.stmt = ast.Import([ast.alias(module)])
    if wanted:
        take = ast.ImportFrom(module, [ast.alias(name) for name in wanted], 0)
    docstring = [statement for statement in head if isinstance(statement, ast.Expr)]
    imports = [statement for statement in head if statement not in docstring]
    return {"script.py": ast.Module([*head, take, *body], []), f"{module}.py": ast.Module([*imports, *kept], [])}


def rename_imports(tree: ast.Module) -> ast.Module | None:
    """`import torch` becomes `import torch as torch_0`, `from … import export` gets `as export_0`, and so on."""
    fresh = Fresh(tree)
    bound: dict[str, int] = {}
    for node in ast.walk(tree):
        names: set[str] = set()
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                names = {name}
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names = {name}
            case ast.Import() | ast.ImportFrom():
                names = {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        for name in names:
            bound[name] = bound.get(name, 0) + 1
    new: dict[str, str] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom) and getattr(statement, "module", "") != "__future__":
            for alias in statement.names:
                old = alias.asname or alias.name
                if old != "*" and "." not in old and bound[old] == 1:
                    new[old] = alias.asname = fresh(old)
    if not new:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = new.get(node.id, node.id)
    return tree


def reorder(tree: ast.Module) -> ast.Module | None:
    """Neighbours that do not need each other change places: definitions, and assignments that only make values."""
    classes = class_names(tree)

    def quiet(statement: ast.stmt) -> bool:
        if isinstance(statement, Definition):
            return not decorated(statement)
        if not isinstance(statement, ast.Assign):
            return False
        plain = all(
            isinstance(node, ast.Name | ast.Tuple | ast.Store) for t in statement.targets for node in ast.walk(t)
        )
        return plain and is_pure(statement.value, classes)

    body, swapped, index = tree.body, False, 0
    while index + 1 < len(body):
        first, second = body[index], body[index + 1]
        touched = binds(first) & (reads(second) | binds(second)) or binds(second) & reads(first)
        if quiet(first) and quiet(second) and not touched:
            body[index], body[index + 1] = second, first
            swapped = True
            index += 1
        index += 1
    return tree if swapped else None
