"""Rewrites of where values come from: variables, a settings class, `**options`, `functools.partial`, built paths."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tests.metamorphic.names import (
    Definition,
    Fresh,
    calls_at_once,
    class_names,
    dotted,
    head_and_rest,
    is_pure,
    is_simple,
    statement_lists,
)

PARAMETERS = {
    "torch.export.export": ("mod", "args", "kwargs"),
    "export": ("mod", "args", "kwargs"),
    "torch._export.aot_compile": ("f", "args", "kwargs"),
    "torch._export.aot_load": ("so_path", "device"),
    "torch._inductor.aot_compile": ("gm", "args", "kwargs"),
    "torch._inductor.aoti_compile_and_package": ("exported_program",),
    "torch._inductor.aoti_load_package": ("path",),
}
"""Positional parameters that may as well be given by name."""


def extract_variables(tree: ast.Module) -> ast.Module | None:
    """Literals in calls become variables at the top: `size_0 = 2`, `text_0 = "cpu"`."""
    fresh = Fresh(tree)
    made: list[ast.stmt] = []

    def store(literal: ast.Constant) -> ast.expr:
        name = fresh("text" if isinstance(literal.value, str) else "size")
        made.append(ast.Assign([ast.Name(name, ast.Store())], literal))
        return ast.Name(name, ast.Load())

    return _with_literals_replaced(tree, store, lambda: made)


def settings_class(tree: ast.Module) -> ast.Module | None:
    """Literals in calls become attributes of one class: `Settings_0.size_0`."""
    fresh = Fresh(tree)
    settings = fresh("Settings")
    made: list[ast.stmt] = []

    def store(literal: ast.Constant) -> ast.expr:
        name = fresh("text" if isinstance(literal.value, str) else "size")
        made.append(ast.Assign([ast.Name(name, ast.Store())], literal))
        return ast.Attribute(ast.Name(settings, ast.Load()), name, ast.Load())

    return _with_literals_replaced(tree, store, lambda: [ast.ClassDef(settings, [], [], made, [])] if made else [])


def _with_literals_replaced(
    tree: ast.Module, store: Callable[[ast.Constant], ast.expr], made: Callable[[], list[ast.stmt]]
) -> ast.Module | None:
    """Replace each different literal that is given to a call by what `store` makes of it, and put `made` first."""
    known: dict[tuple[str, object], ast.expr] = {}

    def replace(node: ast.expr) -> ast.expr:
        if isinstance(node, ast.Tuple | ast.List):
            node.elts = [replace(item) for item in node.elts]
        elif isinstance(node, ast.Constant) and type(node.value) in (int, str):
            key = (type(node.value).__name__, node.value)
            if key not in known:
                known[key] = store(node)
            return known[key]
        return node

    for call in _calls(tree):
        call.args = [replace(item) for item in call.args]
        for keyword in call.keywords:
            keyword.value = replace(keyword.value)
    if not known:
        return None
    head, rest = head_and_rest(tree)
    tree.body = [*head, *made(), *rest]
    return tree


def _calls(tree: ast.Module) -> Iterator[ast.Call]:
    """The calls of the script's own statements and of the decorators of its functions."""
    for statements in statement_lists(tree):
        for statement in statements:
            if isinstance(statement, Definition):
                for decorator in statement.decorator_list:
                    yield from calls_at_once(decorator)
            elif is_simple(statement):
                yield from calls_at_once(statement)


def kwargs_dict(tree: ast.Module) -> ast.Module | None:
    """Keyword arguments come out of a dict: `options_0 = {…}` and `f(x, **options_0)`."""
    fresh, classes = Fresh(tree), class_names(tree)

    def take(call: ast.Call) -> list[ast.stmt]:
        names = PARAMETERS.get(dotted(call.func) or "", ())
        if names and len(call.args) <= len(names) and not any(isinstance(item, ast.Starred) for item in call.args):
            named = [ast.keyword(name, value) for name, value in zip(names, call.args, strict=False)]
            if all(is_pure(item.value, classes) for item in named):
                call.args, call.keywords = [], [*named, *call.keywords]
        given = [item for item in call.keywords if item.arg is not None and is_pure(item.value, classes)]
        if not given:
            return []
        name = fresh("options")
        keys: list[ast.expr | None] = [ast.Constant(item.arg) for item in given]
        made = ast.Assign([ast.Name(name, ast.Store())], ast.Dict(keys, [item.value for item in given]))
        call.keywords = [item for item in call.keywords if item not in given]
        call.keywords.append(ast.keyword(None, ast.Name(name, ast.Load())))
        return [made]

    return _with_calls_prepared(tree, take, decorators=True)


def partial(tree: ast.Module) -> ast.Module | None:
    """Calls of imported functions go through `functools.partial` that holds the keywords, or the first argument."""
    fresh, classes = Fresh(tree), class_names(tree)
    tools = fresh("functools")
    head, _ = head_and_rest(tree)
    imported = {(alias.asname or alias.name).split(".")[0] for node in head for alias in getattr(node, "names", [])}

    def take(call: ast.Call) -> list[ast.stmt]:
        root = (dotted(call.func) or "").split(".")[0]
        held = [item for item in call.keywords if item.arg is not None and is_pure(item.value, classes)]
        first = call.args[:1] if not held else []
        if root not in imported or not (held or first) or not all(is_pure(item, classes) for item in first):
            return []
        name = fresh("partial")
        maker = ast.Attribute(ast.Name(tools, ast.Load()), "partial", ast.Load())
        made = ast.Assign([ast.Name(name, ast.Store())], ast.Call(maker, [call.func, *first], held))
        call.func = ast.Name(name, ast.Load())
        call.args = call.args[len(first) :]
        call.keywords = [item for item in call.keywords if item not in held]
        return [made]

    done = _with_calls_prepared(tree, take, decorators=False)
    if done is not None:
        head, rest = head_and_rest(done)
        done.body = [*head, ast.Import([ast.alias("functools", tools)]), *rest]
    return done


def _with_calls_prepared(
    tree: ast.Module, take: Callable[[ast.Call], list[ast.stmt]], decorators: bool
) -> ast.Module | None:
    """Put before each statement what `take` makes of its calls."""
    changed = False
    for statements in [*statement_lists(tree)]:
        done: list[ast.stmt] = []
        for statement in statements:
            calls: list[ast.Call] = []
            if is_simple(statement):
                calls = [*calls_at_once(statement)]
            elif decorators and isinstance(statement, Definition):
                calls = [call for node in statement.decorator_list for call in calls_at_once(node)]
            made = [item for call in calls for item in take(call)]
            changed |= bool(made)
            done += [*made, statement]
        statements[:] = done
    return tree if changed else None


def build_path(tree: ast.Module) -> ast.Module | None:
    """File names are put together, in turn by an f-string and by `os.path.join`."""
    fresh = Fresh(tree)
    path_of = fresh("os_path")
    made: list[ast.stmt] = []
    count = 0

    class Builder(ast.NodeTransformer):
        def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
            return node

        def visit_Constant(self, node: ast.Constant) -> ast.expr:
            nonlocal count
            text = node.value
            if not (isinstance(text, str) and text.endswith((".pt2", ".so", ".pt")) and "*" not in text):
                return node
            count += 1
            folder, slash, file = text.rpartition("/")
            if count % 2 or not file:
                stem, _, suffix = text.rpartition(".")
                name = fresh("stem")
                made.append(ast.Assign([ast.Name(name, ast.Store())], ast.Constant(stem)))
                return ast.JoinedStr([ast.FormattedValue(ast.Name(name, ast.Load()), -1), ast.Constant("." + suffix)])
            join = ast.Attribute(ast.Name(path_of, ast.Load()), "join", ast.Load())
            return ast.Call(join, [ast.Constant(folder + slash), ast.Constant(file)], [])

    head, rest = head_and_rest(tree)
    builder = Builder()
    rest = [statement if isinstance(statement, Definition) else builder.visit(statement) for statement in rest]
    if not count:
        return None
    tree.body = [*head, ast.ImportFrom("os", [ast.alias("path", path_of)], 0), *made, *rest]
    return tree
