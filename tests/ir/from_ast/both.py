"""Lowers sources from Python's tree and from libcst's, and says where the two differ.

    python -m tests.ir.from_ast.both FOLDER…

looks through all Python files of folders.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from aoti_lint.ir import nodes
from aoti_lint.ir.from_ast.module import lower_body
from aoti_lint.ir.from_ast.module import lower_module as from_ast
from aoti_lint.ir.from_libcst.module import lower_module as from_libcst
from aoti_lint.ir.stack import with_deep_stack
from aoti_lint.lazily.dataclass import fields
from aoti_lint.source.text import read_source
from aoti_lint.text.problem import SourceProblem

LARGEST = 400_000
"""Characters: more take libcst too long."""


def by_ast(text: str) -> nodes.Module | None:
    """The IR from Python's tree, bodies of functions when they are asked for; None if Python does not read it."""
    data = text.encode()
    try:
        return from_ast(text, data, "a.py", lambda start, end: lower_body(data, start, end))
    except SyntaxError:
        return None


def by_libcst(text: str) -> nodes.Module | None:
    """The IR from libcst's tree; None if libcst does not read it."""
    try:
        return from_libcst(text, "a.py")
    except SourceProblem:
        return None


def difference(one: object, other: object, where: str = "") -> str | None:
    """Where two pieces of IR differ first, in any field; None where they are the same."""
    if isinstance(one, nodes.Later):
        one = one.read(one.start, one.end)
    if type(one) is not type(other):
        return f"{where}: {one!r} is not {other!r}"
    pairs: list[tuple[str, object, object]]
    if isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            return f"{where}: {len(one)} are not {len(other)}"
        pairs = [(f"[{n}]", mine, yours) for n, (mine, yours) in enumerate(zip(one, other, strict=True))]
    elif isinstance(one, nodes.Node):
        names = _names(type(one))  # type: ignore[arg-type]  # no node has a hash, but its class has
        pairs = [(f".{name}", getattr(one, name), getattr(other, name)) for name in names]
    else:
        # Of numbers, 0.0 and -0.0 are equal.
        return None if repr(one) == repr(other) else f"{where}: {one!r} is not {other!r}"
    return next((found for name, mine, yours in pairs if (found := difference(mine, yours, where + name))), None)


@cache
def _names(kind: type[nodes.Node]) -> list[str]:
    return [one.name for one in fields(kind)]


def compare(text: str) -> str | None:
    """How the two differ for a source; None where they do not, or where only one of the parsers reads it."""

    def work() -> str | None:
        ours = by_ast(text)
        theirs = None if ours is None else by_libcst(text)
        return None if theirs is None else difference(ours, theirs)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return with_deep_stack(work)


def texts(folder: Path) -> Iterator[tuple[Path, str]]:
    """The Python files of a folder that are read, with their texts."""
    for path in sorted(folder.rglob("*.py")):
        try:
            text = read_source(path.read_bytes(), path.name).text
        except SourceProblem:
            continue
        if len(text) <= LARGEST:
            yield path, text


def main(folders: list[str]) -> int:
    count = found = 0
    for folder in folders:
        for path, text in texts(Path(folder)):
            count += 1
            if (how := compare(text)) is not None:
                found += 1
                print(f"{path}: {how[:500]}")
    print(f"{found} of {count} files differ")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
