"""Where a fake that is written for an op goes, and under which names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

from aoti_lint.rule import Edit, Facts, Span, dataclass, nodes
from aoti_lint.rule.events import OpDefinition

MAKERS = frozenset({"torch.library.custom_op", "torch._library.custom_ops.custom_op"})
"""Functions whose result has a method `register_fake`."""


@dataclass(frozen=True, slots=True)
class Place:
    """Behind which statement a fake goes: `around` are the bodies it is in, the outermost first."""

    path: str
    statement: nodes.Stmt
    around: tuple[list[nodes.Stmt], ...]
    data: bytes

    @property
    def indent(self) -> str | None:
        """The blanks before the statement; None where it does not start its line."""
        start = self.data.rfind(b"\n", 0, self.statement.start) + 1
        text = self.data[start : self.statement.start].decode("utf-8", "replace")
        return text if not text.strip() else None

    def text(self, node: nodes.Node) -> str:
        return self.data[node.start : node.end].decode("utf-8", "replace")


def place_of(facts: Facts, event: OpDefinition, name: str) -> Place | None:
    """The statement that defines the op, or that calls the function of the project which does; None where that is not
    told apart from other ops."""
    word = name.split("::", 1)[1].split(".")[0]
    for span in (event.span, *reversed(event.chain)):
        found = _statement(facts, span)
        if found is not None and any(word in text for text in _texts(_head(found.statement))):
            return found
    return None


def _statement(facts: Facts, span: Span) -> Place | None:
    """The innermost statement around a place."""
    module, source = facts.project.module(span.path), facts.project.source(span.path)
    if module is None or source is None:
        return None
    around: list[list[nodes.Stmt]] = []
    inner: nodes.Stmt | None = None
    bodies = [module.body]
    while bodies:
        body = next((b for b in bodies if any(s.start <= span.start < s.end for s in b)), None)
        if body is None:
            break
        inner = next(s for s in body if s.start <= span.start < s.end)
        around.append(body)
        bodies = list(_bodies(inner))
    if inner is None:
        return None
    return Place(span.path, inner, tuple(around), source.text.encode("utf-8", "surrogatepass"))


def _bodies(statement: nodes.Stmt) -> Iterator[list[nodes.Stmt]]:
    match statement:
        case nodes.FunctionDef() | nodes.ClassDef() | nodes.With():
            yield statement.body
        case nodes.If() | nodes.For() | nodes.While():
            yield from (statement.body, statement.orelse)
        case nodes.Try():
            yield from (statement.body, *(h.body for h in statement.handlers), statement.orelse, statement.final)
        case nodes.Match():
            yield from (case.body for case in statement.cases)


def _head(statement: nodes.Stmt) -> list[nodes.Node]:
    """The parts of a statement that are not statements themselves."""
    if isinstance(statement, nodes.FunctionDef | nodes.ClassDef):
        return list(statement.decorators)
    return [] if any(_bodies(statement)) else [statement]


def _texts(parts: list[nodes.Node]) -> Iterator[str]:
    """The strings in an expression."""
    for node in _inside(parts):
        if isinstance(node, nodes.Const) and isinstance(node.value, str):
            yield node.value


def _inside(parts: list[nodes.Node]) -> Iterator[nodes.Node]:
    todo: list[object] = list(parts)
    while todo:
        one = todo.pop()
        if isinstance(one, nodes.Node):
            yield one
            todo += [getattr(one, f.name) for f in fields(one) if f.name not in ("start", "end", "code")]
        elif isinstance(one, list):
            todo += one


# ---------------------------------------------------------------- names


def torch_name(place: Place) -> str | None:
    """What torch is called where the fake goes; None where no import of it stands before."""
    for body in reversed(place.around):
        for statement in _before(body, place.statement.end):
            for alias in statement.names if isinstance(statement, nodes.Import) else ():
                if alias.dotted == "torch":
                    return alias.name or "torch"
                if alias.dotted.startswith("torch.") and alias.name is None:
                    return "torch"
    return None


def _before(body: list[nodes.Stmt], end: int) -> Iterator[nodes.Stmt]:
    """The statements of a body that run before a place, with those in ifs and the like."""
    for statement in body:
        if statement.start < end:
            yield statement
            if not isinstance(statement, nodes.FunctionDef | nodes.ClassDef):
                for inner in _bodies(statement):
                    yield from _before(inner, end)


def import_of_torch(facts: Facts, place: Place) -> Edit | None:
    """`import torch` before the first statement that may stand behind it; None for a file without any."""
    module = facts.project.module(place.path)
    source = facts.project.source(place.path)
    if module is None or source is None:
        return None
    for index, statement in enumerate(module.body):
        docstring = index == 0 and isinstance(statement, nodes.ExprStmt) and isinstance(statement.value, nodes.Const)
        future = isinstance(statement, nodes.ImportFrom) and statement.module == "__future__"
        if not docstring and not future:
            return Edit(Span(place.path, statement.start, statement.start), f"import torch{source.newline}")
    return None


def function_name(facts: Facts, place: Place, op: str) -> str:
    """`_`, as the documentation of torch has it, unless the file calls something else so, as gettext's function."""
    module = facts.project.module(place.path)
    body = module.body if module is not None else []
    if not _CALLED.search(place.data) or not any(map(_calls_underscore, _all(body))):
        return "_"
    used = {node.id for node in _all(body) if isinstance(node, nodes.Name)}
    name = f"{op}_fake"
    while name in used:
        name += "_"
    return name


_CALLED = re.compile(rb"(?<!def )(?<![\w.])_\(")
"""What a call of `_` looks like: where nothing does, the file need not be gone through."""


def _calls_underscore(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Call) and isinstance(node.func, nodes.Name) and node.func.id == "_"


def _all(body: list[nodes.Stmt]) -> Iterator[nodes.Node]:
    """Every node of these statements, bodies of functions among them."""
    for node in _inside(list(body)):
        yield node
        if isinstance(node, nodes.FunctionDef):
            yield from _all(node.body)


def decorator(event: OpDefinition, place: Place, name: str, torch: str) -> str:
    """`@op.register_fake` where the op has a name here, else `@torch.library.register_fake("ns::op")`."""
    statement = place.statement
    if event.api in MAKERS and event.span.path == place.path:
        if isinstance(statement, nodes.FunctionDef):
            first = statement.decorators[0]
            if first.start <= event.span.start < first.end:
                return f"@{statement.name}.register_fake"
        if isinstance(statement, nodes.Assign) and statement.value.start == event.span.start:
            target = statement.targets[0]
            if isinstance(target, nodes.Name) and isinstance(statement.value, nodes.Call):
                return f"@{target.id}.register_fake"
    library = _library(event, place)
    more = "" if library is None else f", lib={library}"
    return f'@{torch}.library.register_fake("{name}"{more})'


def _library(event: OpDefinition, place: Place) -> str | None:
    """The `Library` whose method defined the op, where it has a name here."""
    if event.library is None or place.path != event.span.path:
        return None
    for node in _inside(_head(place.statement)):
        if isinstance(node, nodes.Call) and (node.start, node.end) == (event.span.start, event.span.end):
            receiver = node.func.base if isinstance(node.func, nodes.Attr) else None
            return place.text(receiver) if isinstance(receiver, nodes.Name) else None
    return None


# ---------------------------------------------------------------- the edit


def insertion(facts: Facts, place: Place, lines: list[str]) -> Edit | None:
    """The lines as statements behind the place, with the blank lines that belong around a function."""
    source, indent = facts.project.source(place.path), place.indent
    if source is None or indent is None or isinstance(place.statement, nodes.Return | nodes.Raise):
        return None
    last = source.lines.position(max(place.statement.end - 1, 0))[0]
    end = source.lines.offset(last, 1_000_000)
    blank = source.newline * (2 if indent else 3)
    text = source.newline.join(indent + line if line else line for line in lines)
    follows = source.lines.line_text(last + 1) if last < source.lines.rows else ""
    after = blank.removesuffix(source.newline) if follows.strip() else ""
    return Edit(Span(place.path, end, end), blank + text + after)
