"""Hold `aoti_lint/torch_api/api.json` against the sources of torch releases, read anew.

    python scripts/check_torch_api.py wheels/torch-*.whl

The places are those that `make_torch_api.py` takes. Nothing of what made the data is used here: this reader is plain
`ast`, and it believes no decorator by its name, but reads what the decorator returns. It prints

    a signature that some definition of the function does not have, or that a decorator may change,
    a name that is said to be missing in a release although a statement of its module binds it,
    a name that is said to be there although nothing binds it,

and ends with 1 when there is any, and with 0 when there is none.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import zipfile
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from aoti_lint.torch_api import api

OUTSIDE = {
    "staticmethod", "classmethod", "overload", "final", "contextmanager", "lru_cache", "cache", "wraps", "dataclass",
    "deprecated", "beartype",
}  # fmt: skip
"""Decorators of other packages after which what is decorated is called as it is written."""
Found = tuple[str, ast.AST]
Parameters = tuple[tuple[str, str, bool], ...]
"""Name, kind and whether there is a default, of each parameter."""


class Disagreement(NamedTuple):
    minor: str
    name: str
    what: str

    def __str__(self) -> str:
        return f"torch {self.minor}  {self.name}: {self.what}"


class Release:
    """The sources of one torch, by module."""

    def __init__(self, place: Path) -> None:
        self._archive = zipfile.ZipFile(place) if place.is_file() else None
        self._root = place
        paths = [] if self._archive else [path.relative_to(place).as_posix() for path in place.glob("torch/**/*")]
        self.files = set(self._archive.namelist() if self._archive else paths)
        self._trees: dict[str, ast.Module | None] = {}

    def text(self, path: str) -> str:
        return self._archive.read(path).decode() if self._archive else (self._root / path).read_text(encoding="utf-8")

    @cached_property
    def minor(self) -> str:
        found = re.search(r"__version__ = '(\d+\.\d+)", self.text("torch/version.py"))
        assert found is not None
        return found[1]

    @cached_property
    def folders(self) -> set[str]:
        return {path.rpartition("/")[0] for path in self.files}

    def path(self, module: str) -> str | None:
        base = module.replace(".", "/")
        return next((p for p in (f"{base}.py", f"{base}/__init__.py") if p in self.files), None)

    def tree(self, module: str) -> ast.Module | None:
        if module not in self._trees:
            path = self.path(module)
            self._trees[module] = ast.parse(self.text(path)) if path else None
        return self._trees[module]

    def is_module(self, module: str) -> bool:
        base = module.replace(".", "/")
        native = re.compile(rf"{re.escape(base)}(\.[\w.-]+)?\.(so|pyd)")
        return bool(self.path(module)) or base in self.folders or any(map(native.fullmatch, self.files))

    def absolute(self, module: str, node: ast.ImportFrom) -> str:
        """The module that a relative import names."""
        if not node.level:
            return node.module or ""
        package = module if (self.path(module) or "").endswith("__init__.py") else module.rpartition(".")[0]
        for _ in range(node.level - 1):
            package = package.rpartition(".")[0]
        return f"{package}.{node.module}" if node.module else package


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements that run when the module is imported, those under conditions too."""
    for node in body:
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            typing_only = isinstance(node, ast.If) and called(node.test) == "TYPE_CHECKING"
            for blocks in ("orelse",) if typing_only else ("body", "orelse", "finalbody"):
                yield from statements(getattr(node, blocks, []))
            for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                yield from statements(part.body)


def stored(node: ast.AST) -> set[str]:
    """The names that a statement binds itself, not those of its blocks."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {a.asname or (a.name.split(".")[0] if isinstance(node, ast.Import) else a.name) for a in node.names}
    found, waiting = set(), list(ast.iter_child_nodes(node))
    while waiting:
        inner = waiting.pop()
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            found.add(inner.id)
        if not isinstance(inner, (ast.stmt, ast.comprehension, ast.Lambda, ast.excepthandler, ast.match_case)):
            waiting += ast.iter_child_nodes(inner)
    return found


def definitions(release: Release, module: str, name: str, above: tuple[str, ...] = ()) -> list[Found]:
    """Every node that may be what `module.name` is, through imports, with the module where it stands."""
    tree, found = release.tree(module), []
    if tree is None or module in above:
        return []
    for node in statements(tree.body):
        if isinstance(node, ast.ImportFrom):
            origin = release.absolute(module, node)
            for alias in node.names:
                if alias.name == "*":
                    found += definitions(release, origin, name, (*above, module))
                elif (alias.asname or alias.name) == name:
                    inner = definitions(release, origin, alias.name, (*above, module))
                    found += inner or [(module, node)]
        elif name in stored(node):
            found.append((module, node))
    return found


# ---------------------------------------------------------------- signatures


def parameters(arguments: ast.arguments, skip: int) -> Parameters:
    plain = [*((a, "positional only") for a in arguments.posonlyargs),
             *((a, "positional or keyword") for a in arguments.args)]  # fmt: skip
    least = len(plain) - len(arguments.defaults)
    made = [(a.arg, kind, i >= least) for i, (a, kind) in enumerate(plain)][skip:]
    if arguments.vararg:
        made.append((arguments.vararg.arg, "*", False))
    made += [(a.arg, "keyword only", d is not None)
             for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]  # fmt: skip
    if arguments.kwarg:
        made.append((arguments.kwarg.arg, "**", False))
    return tuple(made)


def is_overload(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it is for type checkers alone: `typing.overload`, under the names that torch has for it."""
    return not {"overload", "_overload"}.isdisjoint(map(called, node.decorator_list))


def called(node: ast.expr) -> str:
    """The last name of a decorator or base."""
    while isinstance(node, (ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


class Signatures:
    """What the definitions of one release say of a call; a text instead where they do not settle it."""

    def __init__(self, release: Release) -> None:
        self.release = release

    def of(self, qualified: str) -> list[Parameters | str]:
        module, _, name = qualified.rpartition(".")
        if self.release.tree(module) is None:
            owner, _, cls = module.rpartition(".")
            nodes = definitions(self.release, owner, cls)
            return [self._method(where, node, name) for where, node in nodes] or ["the class was not found"]
        nodes = definitions(self.release, module, name)
        return [one for where, node in nodes for one in self._one(where, node)] or ["no definition was found"]

    def _one(self, module: str, node: ast.AST) -> list[Parameters | str]:
        if isinstance(node, ast.ClassDef):
            return [self._class(module, node)]
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return [] if is_overload(node) else [self._function(module, node, 0)]
        return [f"bound by `{ast.unparse(node)[:60]}`"]

    def _function(self, module: str, node: ast.FunctionDef | ast.AsyncFunctionDef, skip: int) -> Parameters | str:
        for decorator in node.decorator_list:
            if not self._is_kept(module, decorator):
                return f"the decorator {called(decorator)} was not understood"
        return parameters(node.args, 0 if "staticmethod" in map(called, node.decorator_list) else skip)

    def _method(self, module: str, cls: ast.AST, name: str) -> Parameters | str:
        for inner in getattr(cls, "body", ()):
            if isinstance(inner, ast.FunctionDef) and inner.name == name:
                return self._function(module, inner, 1)
        return "the method was not found"

    def _class(self, module: str, node: ast.ClassDef) -> Parameters | str:
        if node.keywords:
            return "a class with a metaclass"
        dataclass = next((d for d in node.decorator_list if called(d) == "dataclass"), None)
        own = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        if any(isinstance(n, ast.FunctionDef) and n.name == "__new__" for n in node.body):
            return "a class with __new__"
        if own is not None:
            return self._function(module, own, 1)
        if dataclass is not None:
            return "a dataclass with bases" if node.bases else self._fields(node, dataclass)
        bases = [b for b in node.bases if called(b) not in ("object", "Generic", "Protocol", "ABC")]
        places = definitions(self.release, module, called(bases[0])) if len(bases) == 1 else []
        known = [self._class(where, base) for where, base in places if isinstance(base, ast.ClassDef)]
        return known[0] if len(known) == 1 == len(places) else ("a class whose bases make it" if bases else ())

    def _fields(self, node: ast.ClassDef, dataclass: ast.expr) -> Parameters | str:
        made: list[tuple[str, str, bool]] = []
        if isinstance(dataclass, ast.Call) and any(k.arg in ("init", "kw_only") for k in dataclass.keywords):
            return "a dataclass with init= or kw_only="
        for inner in node.body:
            if isinstance(inner, ast.AnnAssign) and "ClassVar" not in ast.unparse(inner.annotation):
                if "KW_ONLY" in ast.unparse(inner.annotation):
                    return "a dataclass with KW_ONLY"
                given = inner.value is not None
                if isinstance(inner.value, ast.Call) and called(inner.value) == "field":
                    words = {k.arg for k in inner.value.keywords}
                    if words & {"init", "kw_only"}:
                        return "a field with init= or kw_only="
                    given = bool(words & {"default", "default_factory"})
                made.append((ast.unparse(inner.target), "positional or keyword", given))
        return tuple(made)

    # ------------------------------------------------------------ decorators

    def _is_kept(self, module: str, decorator: ast.expr) -> bool:
        name = called(decorator)
        written = ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
        owner = written.rpartition(".")[0] or module
        found = [n for _, n in definitions(self.release, owner, name) if isinstance(n, ast.FunctionDef)]
        plain = [n for n in found if not is_overload(n)]
        if plain:
            return all(gives_back(n, bare=not isinstance(decorator, ast.Call)) for n in plain)
        # `mock.patch(target, new)` hands nothing on; without `new` it would add an argument.
        patches = name == "patch" and isinstance(decorator, ast.Call) and len(decorator.args) == 2
        return name in OUTSIDE or patches or written.endswith("config.patch")


def gives_back(node: ast.FunctionDef, *, bare: bool) -> bool:
    """Whether a decorator returns what it is given, or a `wraps` of it that hands on all arguments.

    `bare`: it stands without a call, so that what is decorated is its first argument.
    """
    nodes = list(own_nodes(node))
    inner = {n.name: n for n in nodes if isinstance(n, ast.FunctionDef)}
    given = {a.arg for a in (*node.args.posonlyargs, *node.args.args)}
    returned = [n.value for n in nodes if isinstance(n, ast.Return)]

    def is_kept(value: ast.expr | None) -> bool:
        if isinstance(value, ast.Name) and value.id in inner:
            made = inner[value.id]
            return hands_on(made) if bare else hands_on(made) or gives_back(made, bare=True)
        if isinstance(value, ast.ListComp):  # made of a list of functions
            return True
        if isinstance(value, ast.Call) and called(value) == "partial":  # of itself: given without a function
            return isinstance(value.args[0], ast.Name) and value.args[0].id == node.name
        return bare and isinstance(value, ast.Name) and value.id in given

    return bool(returned) and all(map(is_kept, returned))


def hands_on(node: ast.FunctionDef) -> bool:
    takes_all = node.args.vararg and node.args.kwarg and not node.args.args
    return bool(takes_all) and "wraps" in map(called, node.decorator_list)


def own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function that are not in one inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))


def recorded(signature: api.Signature) -> Parameters:
    return tuple((p.name, p.kind, p.default is not None) for p in signature.parameters)


def check_signatures(release: Release) -> Iterator[Disagreement]:
    reader = Signatures(release)
    for name in api.signature_names():
        ours = api.signature(name, release.minor)
        if ours is None:
            continue
        for theirs in reader.of(name):
            if theirs != recorded(ours):
                text = theirs if isinstance(theirs, str) else " ".join(str(p) for p in theirs)
                yield Disagreement(release.minor, name, f"recorded {ours}, but {text}")


# ---------------------------------------------------------------- names


def bound(release: Release, module: str, above: tuple[str, ...] = ()) -> set[str]:
    """Every name that anything in a module may bind in it, functions with `global` and `setattr` included."""
    tree = release.tree(module)
    base = module.replace(".", "/")
    found = {path.removeprefix(f"{base}/").split("/")[0].split(".")[0] for path in release.files
             if path.startswith(f"{base}/")}  # fmt: skip
    if tree is None or module in above:
        return found
    for node in statements(tree.body):
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names):
            origin = release.absolute(module, node)
            starred, listed = bound(release, origin, (*above, module)), exported(release, origin)
            found |= {name for name in starred if (name in listed if listed else not name.startswith("_"))}
        found |= stored(node)
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found |= {inner.target.id for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)}
    texts = set()
    for inner in ast.walk(tree):
        if isinstance(inner, ast.Global):
            found |= set(inner.names)
        elif isinstance(inner, ast.Subscript) and called(inner.value) == "globals":
            texts |= strings(inner.slice)
        elif (isinstance(inner, ast.Call) and called(inner) in ("setattr", "update")) or (
            isinstance(inner, (ast.Assign, ast.AugAssign)) and "__all__" in stored(inner)
        ):
            texts |= strings(inner)
    return found | texts


def exported(release: Release, module: str) -> set[str]:
    """The names that `__all__` of a module lists."""
    tree = release.tree(module)
    nodes = [node for node in statements(tree.body) if "__all__" in stored(node)] if tree else []
    return {text for node in nodes for text in strings(node)}


def strings(node: ast.AST) -> set[str]:
    return {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def attributes(release: Release, qualified: str) -> set[str] | None:
    """Every attribute that a class of torch, one of its bases or its methods may have."""
    owner, _, name = qualified.rpartition(".")
    found: set[str] | None = None
    for module, node in definitions(release, owner, name):
        found = found or set()
        tree = release.tree(module)
        for outer in statements(tree.body) if tree else ():
            if isinstance(outer, ast.Assign):
                found |= {
                    t.attr for t in outer.targets if isinstance(t, ast.Attribute) and ast.unparse(t.value) == name
                }
        if isinstance(node, ast.ClassDef):
            for inner in ast.walk(node):
                if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    found.add(inner.name)
                elif isinstance(inner, ast.Attribute) and isinstance(inner.ctx, ast.Store):
                    found.add(inner.attr)
                elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                    found.add(inner.id)
            for base in node.bases:
                found |= attributes(release, f"{module}.{called(base)}") or set()
    return found


def check_names(release: Release) -> Iterator[Disagreement]:
    for owner, names in api.recorded_names().items():
        is_class = release.tree(owner) is None and not release.is_module(owner)
        there = attributes(release, owner) if is_class else bound(release, owner)
        for name in names:
            full = f"{owner}.{name}"
            has, judged = release.minor in api.recorded(full), api.presence(full)
            if has and name not in (there or ()):
                yield Disagreement(release.minor, full, "recorded, but nothing binds it")
            if judged is not None and release.minor not in judged and name in (there or ()):
                yield Disagreement(release.minor, full, "said to be missing, but something binds it")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("places", nargs="+", type=Path, help="wheels of torch, or folders that hold torch/")
    count = 0
    for place in parser.parse_args().places:
        release = Release(place)
        for found in (*check_signatures(release), *check_names(release)):
            print(found, flush=True)
            count += 1
    return int(bool(count))


if __name__ == "__main__":
    sys.exit(main())
