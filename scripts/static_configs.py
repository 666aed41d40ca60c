"""The settings of torch's config modules, read from their source without running it.

A config module is one that calls `install_config_module` on itself. What is a setting there follows `visit` in
`torch/utils/_config_module.py` (2.4.1:60, 2.6.0:101, 2.13.0:188): every name whose value is data. Names that begin with
two underscores, modules, functions and what comes from `typing` are none; the fields of a class are settings below its
name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from static_modules import Import, SourceTree, only_for_typing

_TYPING = ("typing", "typing_extensions", "collections.abc")
_INSTALLERS = ("install_config_module", "_install_config_module")
"""The function, and the name under which utils/serialization/config.py imports it."""
_TEXT_METHODS = ("upper", "lower", "strip", "join", "realpath", "dirname", "format", "replace")


@dataclass(frozen=True)
class Key:
    """One setting: its type and default as source text, "" when the source does not show them.

    `copied` is the setting of another class that it is a copy of, with the same variables.
    """

    type: str = ""
    default: str = ""
    alias: str = ""
    deprecated: bool = False
    copied: str = ""


def config_modules(tree: SourceTree) -> list[str]:
    """The modules that make themselves config modules, without those of torch's own tests."""
    found = []
    for module in tree.modules():
        text = tree.source(module)
        if module.startswith("torch.testing.") or "install_config_module(" not in text:
            continue
        if any(is_call_of(node, *_INSTALLERS) for node in outside_functions(ast.parse(text))):
            found.append(module)
    return found


def config_keys(tree: SourceTree, module: str) -> dict[str, Key]:
    """The settings of a config module, those of a class with its name before them: "aot_inductor.package"."""
    reader = _Reader(tree, module)
    body = ast.parse(tree.source(module)).body
    # What is bound after the call is no setting: AggressiveGuardFreeMode of 2.13.0 fx/experimental/_config.py:138.
    calls = [isinstance(node, ast.Expr) and is_call_of(node.value, *_INSTALLERS) for node in body]
    reader.block(body[: calls.index(True)] if True in calls else body, "")
    return reader.keys


def outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node that runs when the module is imported: the bodies of functions are left out, not those of classes."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            waiting += [*node.decorator_list, *node.args.defaults, *(d for d in node.args.kw_defaults if d)]
        elif not isinstance(node, ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def is_call_of(node: ast.AST | None, *names: str) -> bool:
    """Whether `node` calls one of `names`, written alone or after a dot."""
    return isinstance(node, ast.Call) and (
        (isinstance(node.func, ast.Name) and node.func.id in names)
        or (isinstance(node.func, ast.Attribute) and node.func.attr in names)
    )


def outside_meta(node: ast.expr) -> ast.expr:
    """The expression as it is outside Meta, where `is_fbcode()` is false: `a if is_fbcode() else b` is `b`."""
    return _OutsideMeta().visit(node)  # type: ignore[no-any-return]


class _OutsideMeta(ast.NodeTransformer):
    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        held = _holds_outside_meta(node.test)
        return node if held is None else node.body if held else node.orelse


def _holds_outside_meta(test: ast.expr) -> bool | None:
    if is_call_of(test, "is_fbcode"):
        return False
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        held = _holds_outside_meta(test.operand)
        return None if held is None else not held
    if isinstance(test, ast.BoolOp):
        held_parts = [_holds_outside_meta(part) for part in test.values]
        decided = isinstance(test.op, ast.Or)
        return decided if decided in held_parts else None
    return None


class _Reader:
    """Reads the statements of one config module in order; `keys` is what they leave behind."""

    def __init__(self, tree: SourceTree, module: str) -> None:
        self._tree = tree
        self._module = module
        self._returns: dict[str, str] = {}
        self.keys: dict[str, Key] = {}

    def block(self, body: Iterable[ast.stmt], prefix: str) -> None:
        for node in body:
            self._statement(node, prefix)

    def _statement(self, node: ast.stmt, prefix: str) -> None:
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.Expr)) and node.value is not None:
            for inner in outside_functions(node.value):
                if isinstance(inner, ast.NamedExpr):
                    self._assign(inner.target, inner.value, "", prefix)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self._forget(prefix + node.name)
            self._returns[node.name] = _written(node.returns)
        elif isinstance(node, ast.ClassDef):
            self._class(node, prefix)
        elif isinstance(node, ast.ImportFrom):
            self._import_from(node, prefix)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._assign(target, node.value, "", prefix)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._assign(node.target, node.value, _written(node.annotation), prefix)
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self._forget(prefix + target.id)
        elif isinstance(node, ast.If):
            held = False if only_for_typing(node.test) else _holds_outside_meta(node.test)
            self.block(node.body if held is not False else (), prefix)
            self.block(node.orelse if held is not True else (), prefix)
        else:
            if isinstance(node, (ast.For, ast.AsyncFor)):
                self._assign(node.target, node.iter, "", prefix)
            for blocks in ("body", "orelse", "finalbody"):
                self.block(getattr(node, blocks, ()), prefix)
            for handler in getattr(node, "handlers", ()):
                self.block(handler.body, prefix)

    def _class(self, node: ast.ClassDef, prefix: str) -> None:
        inner = f"{prefix}{node.name}."
        self._forget(inner[:-1])
        self.block(node.body, inner)
        for decorator in node.decorator_list:
            # 2.9.1 utils/_config_module.py:958: copies the public fields that the class does not have itself.
            if isinstance(decorator, ast.Call) and is_call_of(decorator, "inherit_fields_from"):
                parent = f"{prefix}{ast.unparse(decorator.args[0])}."
                for name, key in list(self.keys.items()):
                    field = name.removeprefix(parent)
                    if name.startswith(parent) and not field.startswith("_"):
                        self.keys.setdefault(inner + field, replace(key, copied=name))

    def _import_from(self, node: ast.ImportFrom, prefix: str) -> None:
        for alias in node.names:
            name = alias.asname or alias.name
            if node.module in _TYPING:
                if alias.name == "TYPE_CHECKING":
                    self.keys[prefix + name] = Key("bool", "False")
                continue
            place = self._tree.resolve(self._module, name)
            found = self._tree.nodes(*place) if place else []
            if place != (self._module, name) and found and isinstance(found[-1], ast.expr):
                self._assign(ast.Name(name), found[-1], "", prefix)

    def _assign(self, target: ast.expr, value: ast.expr, annotation: str, prefix: str) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            for element in target.elts:
                self._assign(element, ast.Constant(...), "", prefix)
        if not isinstance(target, ast.Name) or target.id.startswith("__"):
            return
        name = prefix + target.id
        value = outside_meta(value)
        if isinstance(value, ast.Lambda) or self._is_a_type(value):
            self._forget(name)
        elif isinstance(value, ast.Call) and is_call_of(value, "Config"):
            self.keys[name] = self._config(value, annotation, prefix)
        else:
            shown = "" if isinstance(value, ast.Constant) and value.value is ... else ast.unparse(value)
            self.keys[name] = Key(annotation or self._type(value, prefix), shown)

    def _forget(self, name: str) -> None:
        self.keys.pop(name, None)

    def _config(self, call: ast.Call, annotation: str, prefix: str) -> Key:
        given = {word.arg: word.value for word in call.keywords if word.arg}
        default = given.get("default", call.args[0] if call.args else None)
        alias = given.get("alias")
        deprecated = given.get("deprecated")
        return Key(
            annotation or _written(given.get("value_type")) or (self._type(default, prefix) if default else ""),
            ast.unparse(default) if default else "",
            str(alias.value) if isinstance(alias, ast.Constant) and alias.value else "",
            isinstance(deprecated, ast.Constant) and bool(deprecated.value),
        )

    def _is_a_type(self, value: ast.expr) -> bool:
        """Whether `value` is something of `typing`, such as `Optional[int]`."""
        base = value.value if isinstance(value, ast.Subscript) else value
        nodes = self._tree.nodes(self._module, base.id) if isinstance(base, ast.Name) else []
        return bool(nodes) and isinstance(nodes[-1], Import) and nodes[-1].module in _TYPING

    def _type(self, value: ast.expr, prefix: str) -> str:
        """The type of the value as it would be written, "" when the source does not show it."""
        if isinstance(value, ast.Constant):
            return "" if value.value is ... else "None" if value.value is None else type(value.value).__name__
        if isinstance(value, ast.Compare) or (isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)):
            return "bool"
        if isinstance(value, (ast.List, ast.Dict, ast.Set, ast.Tuple)):
            return type(value).__name__.lower()
        if isinstance(value, (ast.ListComp, ast.DictComp, ast.SetComp)):
            return type(value).__name__.removesuffix("Comp").lower()
        if isinstance(value, ast.JoinedStr):
            return "str"
        if isinstance(value, ast.UnaryOp):
            return self._type(value.operand, prefix)
        if isinstance(value, ast.BinOp):
            return _union([self._type(value.left, prefix), self._type(value.right, prefix)])
        if isinstance(value, ast.BoolOp):
            return _union([self._type(part, prefix) for part in value.values])
        if isinstance(value, ast.IfExp):
            return _union([self._type(value.body, prefix), self._type(value.orelse, prefix)])
        if isinstance(value, ast.Name):
            known = self.keys.get(prefix + value.id) or self.keys.get(value.id)
            return known.type if known else ""
        return self._type_of_call(value, prefix) if isinstance(value, ast.Call) else ""

    def _type_of_call(self, call: ast.Call, prefix: str) -> str:
        written = ast.unparse(call.func)
        if written in ("os.environ.get", "os.getenv"):
            default = call.args[1] if len(call.args) > 1 else ast.Constant(None)
            return _union(["str", self._type(default, prefix)])
        if written in ("bool", "int", "float", "str", "list", "dict", "set", "tuple"):
            return written
        last = written.rpartition(".")[2]
        if last == "split":
            return "list"
        if last == "get_tristate_env":
            return "bool | None"
        return "str" if last in _TEXT_METHODS and "." in written else self._returns.get(written, "")


def _union(types: list[str]) -> str:
    """The types joined with "|", None last; "" when one of them is not known."""
    parts = dict.fromkeys(part for text in types for part in text.split(" | "))
    return "" if "" in parts else " | ".join(sorted(parts, key=lambda part: part == "None"))


def _written(annotation: ast.expr | None) -> str:
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value
    return ast.unparse(annotation) if annotation else ""
