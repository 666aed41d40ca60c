"""Which functions of a file are run for themselves: those that the rules may speak of, and that nobody calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import heappop, heappush

from aoti_lint.ir import nodes
from aoti_lint.lazily.regex import regex
from aoti_lint.machine.machine import Machine
from aoti_lint.roots import testruns
from aoti_lint.values.values import NodePlace

_WORD = regex(r"(?<![\w.])[^\W\d]\w*")

MOST_SETTERS = 32
"""So many functions may set what another one reads, if their order is to depend on it."""

Owned = tuple[nodes.FunctionDef, tuple[str, ...]]
"""A function, with the names of the classes around it."""


def uncalled(m: Machine, path: str, tree: nodes.Module) -> Iterator[Owned]:
    """The functions of the file to run, each given when those before it have been run; what these call is left out.

    Those that nothing else names come first, those that set something before those that read it, and those whose names
    nobody has read last, unless they are never used.
    """
    every = functions_of(tree)
    todo = [
        (one, owners)
        for one, owners in every
        if m.project.leads(path, ".".join([*owners, one.name])) or testruns.leads(m, path, one)
    ]
    if not todo:
        return
    m.asks("demand", path)
    named = {name for one, _ in todo for name in names_in(one.body, attributes=True)}
    todo = in_order(todo, named)
    uses = Uses(m, path, tree, [one for one, _ in every])
    unread: list[Owned] = []
    for one, owners in todo:
        if _is_told(m, path, one):
            continue
        if not owners and not one.decorators and NodePlace(path, one.start) not in m.demand.used and uses.has_any(one):
            unread.append((one, owners))
        else:
            yield one, owners
    unused = uses.unused([one for one, _ in unread]) if unread and path not in m.demand.cut else set()
    for one, owners in unread:
        if not _is_told(m, path, one) and (NodePlace(path, one.start) in m.demand.used or one.start not in unused):
            yield one, owners


def _is_told(m: Machine, path: str, one: nodes.FunctionDef) -> bool:
    """Whether somebody called it, or it is never defined on the target versions."""
    place = NodePlace(path, one.start)
    return place in m.demand.told or (path in m.demand.followed and place not in m.demand.defined)


class Uses:
    """Where the names of a file's functions stand in that file.

    A function that is named, and was not even read where the code around its name was run, is never used: it may be a
    patch for another release.
    """

    def __init__(self, m: Machine, path: str, tree: nodes.Module, functions: list[nodes.FunctionDef]) -> None:
        self._m, self._path, self._functions = m, path, functions
        self._outside = names_in(tree.body, functions=False)
        source = m.project.source(path)
        self._data = source.code.encode() if source is not None else b""
        self._told: dict[str, list[nodes.FunctionDef]] | None = None

    def has_any(self, function: nodes.FunctionDef) -> bool:
        """Whether anything else names the function."""
        return function.name in self._outside or bool(self._users(function))

    def unused(self, unread: list[nodes.FunctionDef]) -> set[int]:
        """Where those of the functions, whose names were not read, begin that are not used by anything that runs."""
        users: dict[int, list[nodes.FunctionDef]] = {}
        used, called, path = self._m.demand.used, self._m.demand.called, self._path
        waiting = list(unread)
        for one in waiting:
            if one.start not in users:
                users[one.start] = self._users(one)
                users_there = [(user, NodePlace(path, user.start)) for user in users[one.start]]
                waiting += [user for user, place in users_there if place not in used and place not in called]
        unused: set[int] = set()
        again = True
        while again:
            again = False
            for one in waiting:
                if one.start in unused or not (users[one.start] or one.name in self._outside):
                    continue
                followed = one.name not in self._outside or path in self._m.demand.followed
                if followed and all(NodePlace(path, u.start) in called or u.start in unused for u in users[one.start]):
                    unused.add(one.start)
                    again = True
        return unused

    def _users(self, function: nodes.FunctionDef) -> list[nodes.FunctionDef]:
        """The other functions that name it."""
        if self._told is None:
            self._told = self._mentions()
        return [
            other
            for other in self._told.get(function.name, ())
            if other is not function and function.name in names_in(other.body)
        ]

    def _mentions(self) -> dict[str, list[nodes.FunctionDef]]:
        """For the name of each function, those in whose text it stands: few bodies have to be looked at."""
        found: dict[str, list[nodes.FunctionDef]] = {one.name: [] for one in self._functions}
        for one in self._functions:
            for word in dict.fromkeys(_WORD.findall(self._data[one.start : one.end].decode("utf-8", "replace"))):
                if word in found:
                    found[word].append(one)
        return found


def functions_of(tree: nodes.Module) -> list[tuple[nodes.FunctionDef, tuple[str, ...]]]:
    """Functions and methods that can be reached from the top level by name, with the classes around them."""
    found: list[tuple[nodes.FunctionDef, tuple[str, ...]]] = []
    # Not by recursion: an `elif` stands inside the one before it, and there may be thousands.
    todo: list[tuple[nodes.Stmt, tuple[str, ...]]] = [(one, ()) for one in reversed(tree.body)]
    while todo:
        statement, owners = todo.pop()
        inside: list[nodes.Stmt] = []
        match statement:
            case nodes.FunctionDef():
                found.append((statement, owners))
            case nodes.ClassDef(name=name, body=inside):
                owners = (*owners, name)
            case nodes.If(body=first, orelse=second):
                inside = [*first, *second]
            case nodes.Try(body=first, handlers=handlers, orelse=second):
                inside = [*first, *second, *(one for handler in handlers for one in handler.body)]
            case nodes.With(body=inside):
                pass
        todo += [(one, owners) for one in reversed(inside)]
    return found


def names_in(code: Iterable[object], *, attributes: bool = False, functions: bool = True) -> set[str]:
    """Names that statements mention, and `attributes` if wanted; in the bodies of `functions` only if wanted."""
    found: set[str] = set()
    todo = list(code)
    while todo:
        one = todo.pop()
        if isinstance(one, nodes.Name):
            found.add(one.id)
        elif isinstance(one, nodes.Attr):
            if attributes:
                found.add(one.name)
            todo.append(one.base)
        elif isinstance(one, nodes.Node):
            for slot in one.__dataclass_fields__:
                if slot not in ("start", "end") and (functions or slot != "code"):
                    todo.append(getattr(one, slot))
        elif isinstance(one, list | tuple):
            todo += one
    return found


def in_order(functions: list[Owned], named: set[str]) -> list[Owned]:
    """The functions, each behind those that set what it reads and that it does not call itself.

    Where nothing decides, those that others name (`named`) or that are private come later, those that set something
    come first, and then the text decides.
    """
    mentions = [names_in(one.body, attributes=True) for one, _ in functions]
    effects = [bound_outside(one) for one, _ in functions]
    setters: dict[str, list[int]] = {}
    for i, effect in enumerate(effects):
        # A test leaves nothing to others.
        for name in () if testruns.is_test(functions[i][0]) else effect:
            setters.setdefault(name, []).append(i)
    before: list[set[int]] = []
    for k, (one, _) in enumerate(functions):
        those = {i for name in read_outside(one) for i in setters.get(name, ()) if len(setters[name]) <= MOST_SETTERS}
        before.append({i for i in those if i != k and functions[i][0].name not in mentions[k]})
    # Of two that each set what the other one reads neither has to wait.
    waits = [{i for i in those if k not in before[i]} for k, those in enumerate(before)]

    def rank(k: int) -> tuple[bool, bool, int]:
        name = functions[k][0].name
        return name in named or name.startswith("_"), not effects[k], k

    ranked = sorted(range(len(functions)), key=rank)
    place = {k: position for position, k in enumerate(ranked)}
    waiters: dict[int, list[int]] = {}
    for k, those in enumerate(waits):
        for i in those:
            waiters.setdefault(i, []).append(k)
    ready, found = [place[k] for k in ranked if not waits[k]], dict[int, None]()
    for first in ranked:
        while first not in found:
            # Where all that are left wait for each other, the first of them does not.
            chosen = ranked[heappop(ready)] if ready else first
            found[chosen] = None
            for waiter in waiters.get(chosen, ()):
                waits[waiter].discard(chosen)
                if not waits[waiter] and waiter not in found:
                    heappush(ready, place[waiter])
    return [functions[k] for k in found]


def bound_outside(function: nodes.FunctionDef) -> set[str]:
    """The names of its module that a function says it binds, and the attributes and containers it writes into."""
    found: set[str] = set()
    for one in _statements(function.body):
        if isinstance(one, nodes.Scope) and one.kind == "global":
            found.update(one.names)
        for target in one.targets if isinstance(one, nodes.Assign) else ():
            holder = target.base if isinstance(target, nodes.Sub) else target
            if isinstance(holder, nodes.Attr):
                found.add(holder.name)
            elif isinstance(target, nodes.Sub):
                found.add(holder.id if isinstance(holder, nodes.Name) else "")
    return found


def read_outside(function: nodes.FunctionDef) -> set[str]:
    """The names and attributes that a function reads, those left out that it only sets or writes into."""
    found: set[str] = set()
    todo: list[object] = list(function.body)
    while todo:
        one = todo.pop()
        if isinstance(one, nodes.Assign):
            todo.append(one.value)
            for target in one.targets:
                if isinstance(target, nodes.Sub):
                    todo.append(target.index)
                holder = target.base if isinstance(target, nodes.Sub) else target
                todo += [holder.base] if isinstance(holder, nodes.Attr) else []
        elif isinstance(one, nodes.Name | nodes.Attr):
            found.add(one.id if isinstance(one, nodes.Name) else one.name)
            todo += [one.base] if isinstance(one, nodes.Attr) else []
        elif isinstance(one, nodes.Node):
            todo += [getattr(one, slot) for slot in one.__dataclass_fields__ if slot not in ("start", "end")]
        elif isinstance(one, list | tuple):
            todo += one
    return found


def _statements(body: object) -> Iterator[nodes.Node]:
    """All statements of a body, those of inner functions left out."""
    for one in body if isinstance(body, list | tuple) else ():
        if isinstance(one, nodes.Node):
            yield one
            if not isinstance(one, nodes.FunctionDef | nodes.ClassDef):
                for slot in one.__dataclass_fields__:
                    if slot not in ("start", "end"):
                        yield from _statements(getattr(one, slot))
