"""What a Python module binds, read from its source without running it.

This is the reader behind `make_torch_api.py`. It errs on one side only: a name that may exist is kept, and a module
that makes names at run time is called *open*, so that "no such name" is never said of a name that might be there.
"""

from __future__ import annotations

import ast
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

_DEEP = ("global ", "globals()", "setattr(", "install_config_module")
"""Without any of these words in its text, nothing inside a function can give a module a name."""


@dataclass(frozen=True)
class Import:
    """`from module import attribute`, or `import module as name` with no attribute."""

    module: str
    attribute: str | None


@dataclass
class ModuleFacts:
    """The bindings of one module: name -> every node that binds it, in order."""

    bound: dict[str, list[ast.AST | Import]] = field(default_factory=dict)
    attributes: dict[str, set[str]] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    exported: set[str] | None = None
    open: bool = False


class SourceTree:
    """The `.py` files of one distribution: an installed or unpacked folder, or a wheel read in place."""

    def __init__(self, place: Path, package: str) -> None:
        """Take the folder that holds `package`, or a wheel. Raises `FileNotFoundError` when it is not in it."""
        self._archive = zipfile.ZipFile(place) if place.is_file() else None
        self._root = place
        paths = self._archive.namelist() if self._archive else self._walk(place / package)
        self._files: dict[str, str] = {}
        self._children: dict[str, set[str]] = {}
        self._facts: dict[str, ModuleFacts] = {}
        for path in sorted(paths):
            if path.startswith(f"{package}/") and "/__pycache__/" not in path:
                self._add(path)
        if package not in self._files:
            raise FileNotFoundError(f"{place} holds no package {package}")

    def _walk(self, folder: Path) -> list[str]:
        return [path.relative_to(self._root).as_posix() for path in folder.rglob("*.*") if path.is_file()]

    def _add(self, path: str) -> None:
        stem, _, suffix = path.rpartition(".")
        parts = stem.split("/")
        if suffix == "py":
            if parts[-1] == "__init__":
                parts.pop()
            self._files[".".join(parts)] = path
        elif suffix in ("so", "pyd"):
            parts[-1] = parts[-1].partition(".")[0]
        else:
            return
        while len(parts) > 1:
            self._children.setdefault(".".join(parts[:-1]), set()).add(parts[-1])
            parts.pop()

    def modules(self) -> list[str]:
        """The dotted names of all modules with a source, sorted."""
        return sorted(self._files)

    def __contains__(self, module: str) -> bool:
        return module in self._files or module in self._children

    def submodules(self, module: str) -> set[str]:
        return self._children.get(module, set())

    def source(self, module: str) -> str:
        """The text of a module that `modules` names. Raises `KeyError` when it has no Python source."""
        return self.text(self._files[module])

    def text(self, path: str) -> str:
        """The text of a file of the tree. Raises `FileNotFoundError` when it is not there."""
        if self._archive is None:
            return (self._root / path).read_text(encoding="utf-8")
        try:
            return self._archive.read(path).decode("utf-8")
        except KeyError as error:
            raise FileNotFoundError(path) from error

    def facts(self, module: str) -> ModuleFacts | None:
        """The bindings of `module`; None when it has no Python source."""
        if module not in self._files:
            # A folder without __init__.py is an empty namespace package.
            return ModuleFacts() if module in self._children and module.rpartition(".")[0] in self else None
        if module not in self._facts:
            path = self._files[module]
            text = self.text(path)
            reader = _Reader(module, is_package=path.endswith("/__init__.py"))
            self._facts[module] = reader.read(ast.parse(text, path), deep=any(token in text for token in _DEEP))
        return self._facts[module]

    def names(self, module: str, _above: frozenset[str] = frozenset()) -> tuple[set[str], bool]:
        """All names `module` has or may have, and whether it may have others as well (it is open)."""
        facts = self.facts(module)
        if facts is None:
            return set(), True
        names = set(facts.bound) | (facts.exported or set()) | self.submodules(module)
        is_open = facts.open
        for star in facts.stars:
            if star in _above | {module}:
                continue
            starred, star_open = self.names(star, _above | {module}) if star in self else (set(), True)
            target = self.facts(star)
            listed = target.exported if target else None
            names |= listed if listed is not None else {name for name in starred if not name.startswith("_")}
            is_open = is_open or star_open
        return names, is_open

    def nodes(self, module: str, name: str) -> list[ast.AST | Import]:
        """What binds `name` in `module`, in order; empty when nothing visible does."""
        facts = self.facts(module)
        return facts.bound.get(name, []) if facts else []

    def resolve(self, module: str, name: str, _depth: int = 0) -> tuple[str, str] | None:
        """The module and name where `module.name` is defined, through imports; None when that cannot be told."""
        facts = self.facts(module)
        if facts is None or _depth > 12:
            return None
        nodes = facts.bound.get(name)
        if nodes is None:
            found = {self.resolve(star, name, _depth + 1) for star in facts.stars if star in self} - {None}
            return found.pop() if len(found) == 1 else None
        node = nodes[-1]
        if not isinstance(node, Import):
            return module, name
        if node.attribute is None or node.module not in self:
            return None
        return self.resolve(node.module, node.attribute, _depth + 1)


class _Reader:
    """Reads one module's statements in order."""

    def __init__(self, module: str, *, is_package: bool) -> None:
        self._package = module if is_package else module.rpartition(".")[0]
        self._facts = ModuleFacts()
        self._module_aliases: set[str] = set()

    def read(self, tree: ast.Module, *, deep: bool) -> ModuleFacts:
        """Take the module's tree; `deep` to look into its functions too."""
        self._block(tree.body, straight=True)
        for node in _outside_functions(tree):
            if isinstance(node, ast.NamedExpr):
                self._bind(node.target.id, node.value)
        nodes = list(ast.walk(tree)) if deep else []
        declared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in declared:
                self._bind(node.id, node)
            elif self._makes_names(node):
                self._facts.open = True
        return self._facts

    def _bind(self, name: str, node: ast.AST | Import) -> None:
        self._facts.bound.setdefault(name, []).append(node)
        if name == "__getattr__":
            self._facts.open = True

    def _block(self, body: Iterable[ast.stmt], *, straight: bool) -> None:
        for statement in body:
            self._statement(statement, straight)

    def _statement(self, node: ast.stmt, straight: bool) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            self._bind(node.name, node)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                self._bind(alias.asname or top, Import(alias.name if alias.asname else top, None))
        elif isinstance(node, ast.ImportFrom):
            self._import_from(node)
        elif isinstance(node, ast.Delete):
            for target in node.targets:
                if straight and isinstance(target, ast.Name):
                    self._facts.bound.pop(target.id, None)
        elif isinstance(node, ast.If):
            if not only_for_typing(node.test):
                self._block(node.body, straight=False)
            self._block(node.orelse, straight=False)
        else:
            self._simple(node)
            for blocks in ("body", "orelse", "finalbody"):
                self._block(getattr(node, blocks, ()), straight=straight and isinstance(node, (ast.For, ast.With)))
            for handler in getattr(node, "handlers", ()):
                self._block(handler.body, straight=False)
            for case in getattr(node, "cases", ()):
                self._block(case.body, straight=False)

    def _simple(self, node: ast.stmt) -> None:
        targets: list[ast.expr] = []
        value: ast.AST = node
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets, value = [node.target], node.value
        elif isinstance(node, (ast.AugAssign, ast.For, ast.AsyncFor)):
            targets = [node.target]
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            targets = [item.optional_vars for item in node.items if item.optional_vars]
        for target in targets:
            self._target(target, value)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)):
            self._exported(node)

    def _target(self, target: ast.expr, value: ast.AST) -> None:
        if isinstance(target, ast.Name):
            self._bind(target.id, value)
            if _is_this_module(value):
                self._module_aliases.add(target.id)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for element in target.elts:
                self._target(element, value)
        elif isinstance(target, ast.Starred):
            self._target(target.value, value)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            self._facts.attributes.setdefault(target.value.id, set()).add(target.attr)
        elif isinstance(target, ast.Subscript):
            self._facts.open |= _is_this_module(target) or _is_call_of(target.value, "globals", "vars", "locals")

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level:
            parts = self._package.split(".")
            kept = parts[: len(parts) - node.level + 1]
            module = ".".join([*kept, module] if module else kept)
        for alias in node.names:
            if alias.name == "*":
                self._facts.stars.append(module)
            else:
                self._bind(alias.asname or alias.name, Import(module, alias.name))

    def _exported(self, node: ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr) -> None:
        """Follow `__all__ = [...]`, `__all__ += [...]` and `__all__.extend([...])`."""
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Attribute)
        ):
            target = node.value.func.value
        if not isinstance(target, ast.Name) or target.id != "__all__":
            return
        texts = {
            item.value
            for sequence in ast.walk(node)
            if isinstance(sequence, (ast.List, ast.Tuple))
            for item in sequence.elts
            if isinstance(item, ast.Constant) and isinstance(item.value, str)
        }
        self._facts.exported = (self._facts.exported or set()) | texts
        if not isinstance(node, ast.Expr) and not isinstance(node.value, (ast.List, ast.Tuple)):
            self._facts.open = True

    def _makes_names(self, node: ast.AST) -> bool:
        """Whether `node` gives its module names that no statement shows."""
        if isinstance(node, ast.Subscript):
            return isinstance(node.ctx, ast.Store) and _is_call_of(node.value, "globals")
        if not isinstance(node, ast.Call):
            return False
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("update", "setdefault"):
            return _is_call_of(node.func.value, "globals")
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        if called == "setattr":
            first = node.args[0] if node.args else None
            return _is_this_module(first) or (isinstance(first, ast.Name) and first.id in self._module_aliases)
        if called == "exec":
            return any(_is_call_of(argument, "globals") for argument in node.args)
        return called == "install_config_module"


def _outside_functions(tree: ast.Module) -> Iterator[ast.AST]:
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))


def _is_call_of(node: ast.AST | None, *names: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _is_this_module(node: ast.AST | None) -> bool:
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "modules"
        and isinstance(node.slice, ast.Name)
        and node.slice.id == "__name__"
    )


def only_for_typing(test: ast.expr) -> bool:
    """Whether a condition holds for type checkers only, so that its branch never runs."""
    if isinstance(test, ast.Constant):
        return not test.value
    return (test.id if isinstance(test, ast.Name) else getattr(test, "attr", "")) == "TYPE_CHECKING"
