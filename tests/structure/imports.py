"""The imports of aoti_lint and its rules, also those inside functions and those for types alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, order=True)
class Arrow:
    """`start` imports `end`; both are names of modules, without `aoti_lint.`. `inside` a function, or as it loads."""

    start: str
    end: str
    line: int
    inside: bool

    def __str__(self) -> str:
        return f"{self.start}:{self.line} imports {self.end}"


@cache
def modules() -> dict[str, Path]:
    """The files of aoti_lint, by the name that each is imported by without `aoti_lint.`; that of the root is empty."""
    found: dict[str, Path] = {}
    for top in (ROOT / "aoti_lint", ROOT / "rules"):
        for path in sorted(top.rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[1:] if parts[0] == "aoti_lint" else parts)
            found[name.removesuffix("__init__").removesuffix(".")] = path
    return found


def room_of(module: str) -> str:
    """The folder that a module is in, or its own name."""
    return module.partition(".")[0]


@cache
def arrows() -> tuple[Arrow, ...]:
    """All imports of one module by another."""
    return tuple(sorted({arrow for name, path in modules().items() for arrow in _of(name, path)}))


@cache
def edges() -> dict[str, set[str]]:
    """The modules that each imports, if any."""
    found: dict[str, set[str]] = {}
    for one in arrows():
        found.setdefault(one.start, set()).add(one.end)
    return found


def _of(name: str, path: Path) -> Iterator[Arrow]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {id(inner) for function in functions for inner in ast.walk(function)}
    for node in ast.walk(tree):
        for end in _named(node, path):
            if end != name:
                yield Arrow(name, end, getattr(node, "lineno", 0), id(node) in inside)


def _named(node: ast.AST, path: Path) -> Iterator[str]:
    """The modules of aoti_lint that an import in a file names."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            folder = path.relative_to(ROOT).parts[: -node.level]
            base = ".".join([*(("aoti_lint",) if folder[0] == "rules" else ()), *folder, *filter(None, [base])])
        whole = [f"{base}.{alias.name}" for alias in node.names]
        names = [one if _ours(one) in modules() else base for one in whole]
    else:
        return
    for name in names:
        ours = _ours(name)
        if ours is not None and ours in modules():
            yield ours


def _ours(name: str) -> str | None:
    return name.removeprefix("aoti_lint").removeprefix(".") if name.partition(".")[0] == "aoti_lint" else None


def circles(edges: dict[str, set[str]]) -> list[set[str]]:
    """The sets of nodes that can all be reached from one another, of more than one (Tarjan)."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[set[str]] = []

    def visit(node: str) -> None:
        numbers[node] = lowest[node] = len(numbers)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in numbers:
                visit(other)
            if other in stack:
                lowest[node] = min(lowest[node], lowest[other])
        if lowest[node] == numbers[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(set(stack[at:]))
            del stack[at:]

    for node in sorted(edges):
        if node not in numbers:
            visit(node)
    return found
