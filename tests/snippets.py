"""Runs a snippet through lowering and the interpreter, and reads its variables back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from aoti_lint import models
from aoti_lint.ir import nodes
from aoti_lint.ir.lower import lower
from aoti_lint.ir.pieces import Pieces
from aoti_lint.language import imports
from aoti_lint.language.data import containers
from aoti_lint.language.data.paths import path_key
from aoti_lint.machine.machine import Machine
from aoti_lint.roots import run as _  # noqa: F401  # answers what an export asks
from aoti_lint.torch_api.versions import SUPPORTED, VersionSet
from aoti_lint.values.events.event import Event
from aoti_lint.values.values import Choice, Const, Namespace, Obj, PathValue, Tup, Value

E = TypeVar("E", bound=Event)


@dataclass
class Files:
    """A project of texts in memory."""

    texts: dict[str, str]
    trees: dict[str, nodes.Module] = field(default_factory=dict)
    reported: tuple[str, ...] = ()

    def module(self, path: str) -> nodes.Module | None:
        if path in self.texts and path not in self.trees:
            self.trees[path] = lower(self.texts[path], path)
        return self.trees.get(path)

    top_level = module

    def resolve(self, dotted: str, level: int, importer: str) -> str | None:
        path = dotted.replace(".", "/") + ".py"
        return path if path in self.texts else None

    def module_name(self, path: str) -> str:
        return path.removesuffix(".py").replace("/", ".")

    def leads(self, path: str, name: str) -> bool:
        return True

    def is_root(self, path: str) -> bool:
        return path in self.reported

    def source(self, path: str) -> None:
        return None

    def pieces(self, path: str) -> Pieces:
        return Pieces("", [])


@dataclass
class Ran:
    """What a snippet left behind."""

    m: Machine
    module: Namespace
    cells: dict[str, Value]

    def value(self, name: str) -> Value:
        return self.cells[name]

    def python(self, name: str) -> object:
        """The variable as a Python value; what is no constant stays a `Value`."""
        return self.plain(self.cells[name])

    def plain(self, value: Value) -> object:
        match value:
            case Const(inner):
                return inner
            case Tup(items):
                return tuple(self.plain(i) for i in items)
            case Obj(kind="list" | "set" as kind):
                held = containers.items_of(self.m, value)
                if held is None:
                    return value
                return [self.plain(i) for i in held] if kind == "list" else {self.plain(i) for i in held}
            case Obj(kind="dict"):
                pairs = containers.dict_pairs(self.m, value)
                return value if pairs is None else {self.plain(k): self.plain(v) for k, v in pairs}
            case PathValue(text):
                return self.plain(text)
            case _:
                return value

    def key(self, name: str) -> tuple[str, ...]:
        return path_key(self.m, self.cells[name])

    def arms(self, name: str) -> list[object]:
        """All alternatives of a variable."""
        found: list[object] = []

        def walk(value: Value) -> None:
            if isinstance(value, Choice):
                walk(value.then)
                walk(value.other)
            else:
                found.append(self.plain(value))

        walk(self.cells[name])
        return found

    @property
    def events(self) -> list[Event]:
        return self.m.facts.events


def run(text: str, path: str = "script.py", versions: VersionSet = SUPPORTED, **others: str) -> Ran:
    """Run `text` as the script at `path`, for some releases of torch; `others` are further modules by name."""
    models.load()
    files = Files({path: text} | {f"{name}.py": inner for name, inner in others.items()})
    m = Machine(files, versions)  # type: ignore[arg-type]  # a project in memory
    module = Namespace(path, m.fresh())
    tree = files.module(path)
    assert tree is not None
    m.root.name = path
    imports.execute(m, module, tree, "__main__")
    return Ran(m, module, dict(m.store.slots(module.ident)))


def told(ran: Ran, kind: type[E]) -> list[E]:
    """The events of one kind."""
    return [event for event in ran.events if isinstance(event, kind)]
