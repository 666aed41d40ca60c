"""What the names in a file mean, read from its text alone: for code that nobody followed.

Less than the interpreter knows and enough for places that matter: imports, other names for what was imported, and the
variables that hold a program, what was loaded, a library or an op.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from aoti_lint.coverage.apis import DEFINERS, HOLDS
from aoti_lint.ir import nodes
from aoti_lint.source.project import Project

SAME = {"program": ("run_decompositions",), "loaded": (), "module": ("eval", "train", "to", "cuda", "cpu")}
"""By what a variable holds: the methods that give the same again."""


Attributes = dict[tuple[int, str], str]
"""What attributes of `self` hold, by the `id` of the IR of their class."""


class Files:
    """The files of a project, and what each hands on of what is outside the project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._handed: dict[str, dict[str, str]] = {}

    def imported(self, path: str, node: nodes.Import | nodes.ImportFrom) -> dict[str, str]:
        """The names an import binds to what is outside the project, also where a file of the project hands it on."""
        if isinstance(node, nodes.Import):
            tops = ((alias, alias.dotted.partition(".")[0]) for alias in node.names)
            return {alias.name or top: alias.dotted if alias.name else top for alias, top in tops}
        source = self.project.resolve(node.module, node.level, path)
        if source is None:
            return {} if node.level else {one.name or one.dotted: f"{node.module}.{one.dotted}" for one in node.names}
        handed = self._of(source)
        return {one.name or one.dotted: handed[one.dotted] for one in node.names if one.dotted in handed}

    def _of(self, path: str) -> dict[str, str]:
        """What the imports of a file bind, each file looked at once: files may import each other."""
        if path not in self._handed:
            found = self._handed[path] = {}
            tree = self.project.module(path)
            for one in () if tree is None else own(tree):
                if isinstance(one, nodes.Import | nodes.ImportFrom):
                    found.update(self.imported(path, one))
        return self._handed[path]


@dataclass(eq=False, slots=True)
class Scope:
    """The names of a file, a class or a function: what each is outside the project (None: something else)."""

    node: nodes.Module | nodes.ClassDef | nodes.FunctionDef
    outer: Scope | None
    names: dict[str, str | None] = field(default_factory=dict)
    holds: dict[str, str] = field(default_factory=dict)
    """What variables hold, as `apis.HOLDS` says it."""
    handed: dict[str, tuple[nodes.ImportFrom, str]] = field(default_factory=dict)
    """The names that are imported from elsewhere, with what they are called there."""

    @property
    def owner(self) -> int:
        """The `id` of the IR of the class around it."""
        at: Scope | None = self
        while at is not None and not isinstance(at.node, nodes.ClassDef):
            at = at.outer
        return 0 if at is None else id(at.node)

    @property
    def qualname(self) -> str:
        """How reports name it; empty for the file."""
        if isinstance(self.node, nodes.Module) or self.outer is None:
            return ""
        around = self.outer.qualname
        return f"{around}.{self.node.name}" if around else self.node.name


def scopes(files: Files, tree: nodes.Module, attributes: Attributes) -> list[Scope]:
    """All scopes of a file, each after the one around it; what attributes of objects hold is put into `attributes`."""
    found = [Scope(tree, None)]
    for scope in found:
        _bind(files, tree.path, scope)
        inner = (one for one in own(scope.node) if isinstance(one, nodes.FunctionDef | nodes.ClassDef))
        found += [Scope(one, scope) for one in inner]
    # What an attribute holds may be said in a method below the one that reads it.
    for _ in range(2):
        for scope in found:
            _fill(scope, attributes)
    return found


def own(scope: nodes.Module | nodes.ClassDef | nodes.FunctionDef) -> list[nodes.Node]:
    """The nodes that run with a scope, in the order of their places; of functions and classes in it only the head."""
    todo: list[object] = [scope.body]
    found: list[nodes.Node] = []
    while todo:
        one = todo.pop()
        if isinstance(one, list | tuple):
            todo += one
        elif isinstance(one, nodes.Node):
            found.append(one)
            left_out = ("code", "body") if isinstance(one, nodes.FunctionDef | nodes.ClassDef) else ()
            todo += [getattr(one, part.name) for part in fields(one) if part.name not in left_out]
    return sorted(found, key=lambda one: (one.start, -one.end))


def dotted(scope: Scope, expr: nodes.Expr | None) -> str:
    """The qualified name of what an expression means outside the project; empty if it means nothing there."""
    parts: list[str] = []
    first: nodes.Expr | None = expr
    while isinstance(first, nodes.Attr):
        parts.append(first.name)
        first = first.base
    if not isinstance(first, nodes.Name):
        return ""
    at: Scope | None = scope
    while at is not None and first.id not in at.names:
        at = at.outer
    known = None if at is None else at.names[first.id]
    return ".".join([known, *reversed(parts)]) if known else ""


def held(scope: Scope, expr: nodes.Expr | None, attributes: Attributes) -> str:
    """What an expression gives, as `apis.HOLDS` says it; empty if that is not known."""
    match expr:
        case nodes.Name(id=name):
            at: Scope | None = scope
            while at is not None and name not in at.holds and name not in at.names:
                at = at.outer
            return "" if at is None else at.holds.get(name, "")
        case nodes.Attr(base=nodes.Name(id="self"), name=name):
            return attributes.get((scope.owner, name), "")
        case nodes.Await(value=value) | nodes.Walrus(value=value):
            return held(scope, value, attributes)
        case nodes.Call(func=func):
            made = HOLDS.get(dotted(scope, func), "")
            if made or not isinstance(func, nodes.Attr):
                return made
            base = held(scope, func.base, attributes)
            if base == "program" and func.name == "module":
                return "module"
            return base if func.name in SAME.get(base, ()) else ""
    return ""


def _bind(files: Files, path: str, scope: Scope) -> None:
    """Note what the names of a scope are."""
    others: list[str] = []
    aliases: list[tuple[str, nodes.Expr]] = []
    if isinstance(scope.node, nodes.FunctionDef):
        others += [one.name for one in scope.node.params]
    for one in own(scope.node):
        match one:
            case nodes.Import() | nodes.ImportFrom():
                scope.names.update(files.imported(path, one))
                if isinstance(one, nodes.ImportFrom):
                    scope.handed.update({alias.name or alias.dotted: (one, alias.dotted) for alias in one.names})
            case nodes.FunctionDef(name=name) | nodes.ClassDef(name=name):
                others.append(name)
            case nodes.Assign(targets=[nodes.Name(id=name)], value=nodes.Name() | nodes.Attr() as value):
                aliases.append((name, value))
            case nodes.Assign(targets=targets):
                others += [name for target in targets for name in _bound(target)]
            case nodes.For(target=target) | nodes.WithItem(target=target) | nodes.AnnAssign(target=target):
                others += _bound(target)
    for name, alias in aliases:
        meant = dotted(scope, alias)
        if meant:
            scope.names.setdefault(name, meant)
        else:
            others.append(name)
    for name in others:
        scope.names.setdefault(name, None)


def _bound(target: nodes.Expr | None) -> Iterator[str]:
    match target:
        case nodes.Name(id=name):
            yield name
        case nodes.Seq(items=items):
            for item in items:
                yield from _bound(item)


def _fill(scope: Scope, attributes: Attributes) -> None:
    """Note what the variables of a scope hold, and those attributes that its code sets."""
    for one in own(scope.node):
        match one:
            case nodes.Assign(targets=targets, value=value):
                given = held(scope, value, attributes)
                for target in targets if given else ():
                    if isinstance(target, nodes.Name):
                        scope.holds[target.id] = given
                    elif isinstance(target, nodes.Attr) and _is_self(target.base):
                        attributes[scope.owner, target.name] = given
            case nodes.WithItem(value=value, target=nodes.Name(id=name)):
                given = held(scope, value, attributes)
                if given:
                    scope.holds[name] = given
            case nodes.FunctionDef(name=name) if _defines_op(scope, one):
                scope.holds[name] = "op"


def _defines_op(scope: Scope, function: nodes.FunctionDef) -> bool:
    return any(isinstance(one, nodes.Call) and dotted(scope, one.func) in DEFINERS for one in function.decorators)


def is_op_of_another_file(files: Files, path: str, scope: Scope, expr: nodes.Expr) -> bool:
    """Whether an expression is the name of a function that another file of the project makes an op."""
    at: Scope | None = scope
    while at is not None and isinstance(expr, nodes.Name):
        if expr.id in at.handed:
            node, name = at.handed[expr.id]
            source = files.project.resolve(node.module, node.level, path)
            tree = None if source is None else files.project.module(source)
            if source is None or tree is None:
                return False
            other = Scope(tree, None)
            _bind(files, source, other)
            return any(
                isinstance(one, nodes.FunctionDef) and one.name == name and _defines_op(other, one) for one in own(tree)
            )
        at = at.outer
    return False


def _is_self(expr: nodes.Expr) -> bool:
    return isinstance(expr, nodes.Name) and expr.id == "self"
