"""Copy the fakes of installed or unpacked packages, and what they need, into `tests/mutation/corpus`.

    python scripts/make_mutation_corpus.py NAME VERSION LICENCE FOLDER [--only PATTERN] [--limit N]

Of each file that registers fakes it keeps the licence header, the imports, the fakes with the helpers they call, the
registrations, and the kernels of the ops in Python. Long docstrings, comments between statements and everything else
go; what only a kernel or another part needs is imported from a module `_left_out`, which does not exist.
"""

from __future__ import annotations

import argparse
import ast
import fnmatch
import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.mutation import written
from tests.mutation.measure import files_with_fakes
from tests.mutation.source import Text, last_name

CORPUS = Path(__file__).parent.parent / "tests" / "mutation" / "corpus"
LONGEST_HELPER = 12
LONGEST_WRAPPER = 150
"""Lines of what a fake or a registration uses of another file."""
LONGEST_DOCSTRING = 1
DEEPEST = 2
"""Through how many files, each importing from the next, a helper of a fake or a registration is kept."""

Whole = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Slice:
    """The statements of one file that are kept; kernels of more than `longest` lines are not taken."""

    def __init__(self, package: Package, path: str) -> None:
        self.package, self.path = package, path
        self.text = Text((package.root / path).read_bytes())
        self.kept: set[ast.stmt] = set()
        self.left_out: set[str] = set()
        self.parents: dict[ast.stmt, ast.stmt] = {}
        self.units = list(self._units(self.text.tree.body))
        self.defined: dict[str, list[ast.stmt]] = {}
        for unit in self.units:
            for name in bound_by(unit):
                self.defined.setdefault(name, []).append(unit)
        self.fakes = written.fakes(self.text.tree)

    def _units(self, body: list[ast.stmt]) -> Iterator[ast.stmt]:
        """The statements of the top level, and of its `if`, `try` and `with` in place of these."""
        for one in body:
            blocks = blocks_of(one)
            if blocks:
                for block in blocks:
                    for child in block:
                        self.parents[child] = one
                    yield from self._units(block)
            else:
                yield one

    def keep_fake(self, fake: ast.FunctionDef) -> bool:
        """Keep a fake, its registration and its op's kernels; False, and nothing kept, where that is too long."""
        if fake not in self.units:
            return False
        seeds: list[ast.stmt] = [fake]
        ops = {c.value for d in fake.decorator_list for c in ast.walk(d) if isinstance(c, ast.Constant)}
        for unit in self.units:
            if unit is fake:
                continue
            calls = isinstance(unit, ast.Expr) or (isinstance(unit, Whole) and unit.decorator_list)
            if isinstance(unit, ast.FunctionDef) and fake.name in set(written.handed(unit)):
                # Registered by a function, which the file calls.
                self.keep(unit, deep=True)
                for other in self.units:
                    if isinstance(other, ast.Expr) and unit.name in loaded_by(other):
                        self.keep(other, deep=True)
            elif calls and (fake.name in loaded_at_once(unit) or ops & set(op_names(unit))):
                seeds.append(unit)
        used = [name for d in fake.decorator_list for name in loaded_by(d)]
        seeds += [unit for name in used for unit in self.defined.get(name, ()) if isinstance(unit, Whole)]
        handed = {name for unit in seeds[1:] for name in loaded_at_once(unit)}
        kernels = [u for n in handed for u in self.defined.get(n, ()) if isinstance(u, Whole) and u not in self.fakes]
        if len(seeds) == 1 and not fake.decorator_list:
            return fake in self.kept
        for one in (*seeds[1:], *kernels):
            if lines(one) > self.package.longest:
                return False
        if lines(fake) > self.package.longest:
            return False
        for one in seeds:
            self.keep(one, deep=one in self.fakes or isinstance(one, ast.Expr))
        return True

    def keep(self, unit: ast.stmt, *, deep: bool) -> None:
        """Keep a statement with what it names: all of it if `deep`, else what is short."""
        if unit in self.kept:
            return
        self.kept.add(unit)
        parent = self.parents.get(unit)
        while parent is not None:
            for test in tests_of(parent):
                self._keep_names(loaded_by(test), deep=False)
            parent = self.parents.get(parent)
        if isinstance(unit, ast.Import | ast.ImportFrom):
            return
        self._keep_names(loaded_by(unit), deep=deep)

    def _keep_names(self, names: set[str], *, deep: bool) -> None:
        for name in sorted(names):
            for unit in self.defined.get(name, ()):
                if isinstance(unit, ast.Import | ast.ImportFrom):
                    self.keep(unit, deep=False)
                    if deep and isinstance(unit, ast.ImportFrom):
                        self.package.follow(self.path, unit, name)
                elif unit in self.fakes or lines(unit) <= self.package.longest_helper(unit, deep):
                    self.keep(unit, deep=(deep and not is_kernel(unit)) or unit in self.fakes)
                else:
                    self.left_out.add(name)

    def emit(self) -> str:
        """The text of what is kept."""
        gone: set[int] = set()
        added: dict[int, str] = {}
        self._cut(self.text.tree.body, gone, added)
        for unit in self.kept:
            self._cut_docstrings(unit, gone, added)
        inside = {row for unit in self.kept for row in rows(unit)}
        raw = self.text.data.decode().splitlines()
        first = min((min(rows(one)) for one in self.text.tree.body), default=1)
        out: list[str] = []
        for row, line in enumerate(raw, 1):
            if row in added:
                out.append(added[row])
            if row in gone or (row >= first and row not in inside and line.lstrip().startswith("#")):
                continue
            out.append(line.rstrip())
        defined = {name for unit in self.kept for name in bound_by(unit)}
        missing = sorted(self.left_out - defined)
        text = squeeze(out)
        if missing:
            text = after_imports(text, f"from _left_out import {', '.join(missing)}")
        return text

    def _cut(self, body: list[ast.stmt], gone: set[int], added: dict[int, str]) -> None:
        """Take out what is not kept of a block; `pass` stands in for the last of it."""
        left = 0
        for one in body:
            blocks = blocks_of(one)
            if one in self.kept:
                left += 1
            elif blocks and any(self._is_kept(child) for block in blocks for child in block):
                left += 1
                for block in blocks:
                    self._cut(block, gone, added)
            else:
                gone.update(rows(one))
        if not left and body and body is not self.text.tree.body:
            added[min(rows(body[0]))] = " " * body[0].col_offset + "pass"

    def _is_kept(self, unit: ast.stmt) -> bool:
        return unit in self.kept or any(self._is_kept(c) for block in blocks_of(unit) for c in block)

    def _cut_docstrings(self, unit: ast.stmt, gone: set[int], added: dict[int, str]) -> None:
        for node in ast.walk(unit):
            if not isinstance(node, Whole) or ast.get_docstring(node) is None:
                continue
            doc = node.body[0]
            if lines(doc) > LONGEST_DOCSTRING and min(rows(doc)) != node.lineno:
                gone.update(rows(doc))
                if len(node.body) == 1:
                    added[min(rows(doc))] = " " * doc.col_offset + "pass"


class Package:
    """The files of one package that are kept in part."""

    def __init__(self, root: Path, longest: int) -> None:
        self.root, self.longest = root, longest
        self.slices: dict[str, Slice] = {}
        self.depth = 0

    def slice(self, path: str) -> Slice:
        if path not in self.slices:
            self.slices[path] = Slice(self, path)
        return self.slices[path]

    def longest_helper(self, unit: ast.stmt, deep: bool) -> int:
        """How many lines of something that is only named are kept."""
        if is_kernel(unit):
            return 8
        if not deep:
            return LONGEST_HELPER
        return LONGEST_WRAPPER if self.depth else self.longest

    def follow(self, path: str, imported: ast.ImportFrom, name: str) -> None:
        """Keep a function that is imported from another file of the package."""
        if self.depth == DEEPEST:
            return
        folder = Path(path).parent
        for _ in range(imported.level - 1):
            folder = folder.parent
        base = folder if imported.level else Path()
        target = base / (imported.module or "").replace(".", "/")
        original = next((a.name for a in imported.names if (a.asname or a.name) == name), name)
        for candidate in (f"{target}.py", f"{target}/__init__.py"):
            if (self.root / candidate).is_file() and candidate != path:
                other = self.slice(candidate)
                self.depth += 1
                for unit in other.defined.get(original, ()):
                    if lines(unit) <= LONGEST_WRAPPER:
                        other.keep(unit, deep=True)
                self.depth -= 1


def blocks_of(statement: ast.stmt) -> list[list[ast.stmt]]:
    if isinstance(statement, ast.If):
        return [b for b in (statement.body, statement.orelse) if b]
    if isinstance(statement, ast.Try):
        handled = [h.body for h in statement.handlers]
        return [b for b in (statement.body, *handled, statement.orelse, statement.finalbody) if b]
    return [statement.body] if isinstance(statement, ast.With) else []


def tests_of(statement: ast.stmt) -> list[ast.AST]:
    if isinstance(statement, ast.If):
        return [statement.test]
    if isinstance(statement, ast.Try):
        return [h.type for h in statement.handlers if h.type is not None]
    return [item.context_expr for item in statement.items] if isinstance(statement, ast.With) else []


def bound_by(unit: ast.stmt) -> list[str]:
    """The names a statement binds."""
    if isinstance(unit, Whole):
        return [unit.name]
    if isinstance(unit, ast.Import):
        return [a.asname or a.name.split(".")[0] for a in unit.names]
    if isinstance(unit, ast.ImportFrom):
        return [a.asname or a.name for a in unit.names]
    return [n.id for n in ast.walk(unit) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def loaded_by(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def loaded_at_once(unit: ast.stmt) -> set[str]:
    """The names read when the statement is run, not those a function's body reads later."""
    if isinstance(unit, Whole):
        return {name for d in unit.decorator_list for name in loaded_by(d)}
    return loaded_by(unit) if isinstance(unit, ast.Expr) else set()


def op_names(unit: ast.stmt) -> Iterator[str]:
    """The ops that a registration names, in full where the text does."""
    parts: list[ast.expr] = (
        unit.decorator_list if isinstance(unit, Whole) else [unit.value] if isinstance(unit, ast.Expr) else []
    )
    for part in parts:
        for node in ast.walk(part):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
                yield node.value.split("(", 1)[0].strip()


def is_kernel(unit: ast.stmt) -> bool:
    return isinstance(unit, Whole) and any(
        "jit" in last_name(d.func if isinstance(d, ast.Call) else d) for d in unit.decorator_list
    )


def rows(node: ast.stmt) -> range:
    start = (
        min([d.lineno for d in node.decorator_list], default=node.lineno) if isinstance(node, Whole) else node.lineno
    )
    return range(start, (node.end_lineno or start) + 1)


def lines(node: ast.stmt) -> int:
    return len(rows(node))


def squeeze(out: list[str]) -> str:
    """No more than two empty lines after each other, none at the end."""
    kept: list[str] = []
    for line in out:
        if line or kept[-2:] != ["", ""]:
            kept.append(line)
    return "\n".join(kept).strip("\n") + "\n"


def after_imports(text: str, line: str) -> str:
    tree = ast.parse(text)
    start = 0
    for one in tree.body:
        docstring = isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
        if not docstring and not (isinstance(one, ast.ImportFrom) and one.module == "__future__"):
            break
        start = one.end_lineno or 0
    if not start:
        start = tree.body[0].lineno - 1
    every = text.splitlines()
    return "\n".join([*every[:start], line, *every[start:]]) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("name", "version", "licence", "folder"):
        parser.add_argument(name)
    parser.add_argument("--only", default="*")
    parser.add_argument("--limit", type=int, default=1000)
    parser.add_argument(
        "--longest", type=int, default=80, help="the lines of a kernel; ops with longer ones are not taken"
    )
    parser.add_argument("--into", type=Path, default=CORPUS)
    given = parser.parse_args()
    package = Package(Path(given.folder), given.longest)
    fakes: dict[str, list[str]] = {}
    for path in files_with_fakes(given.folder):
        if not fnmatch.fnmatch(path, given.only):
            continue
        one = package.slice(path)
        for fake in one.fakes:
            if sum(map(len, fakes.values())) < given.limit and one.keep_fake(fake):
                fakes.setdefault(path, []).append(fake.name)
    for path, one in sorted(package.slices.items()):
        if one.kept:
            target = given.into / given.name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(one.emit())
            ast.parse(target.read_text())
    sources = given.into / "sources.json"
    every = json.loads(sources.read_text()) if sources.is_file() else {}
    every[given.name] = {"version": given.version, "licence": given.licence, "fakes": fakes}
    sources.write_text(json.dumps(every, indent=1, sort_keys=True) + "\n")
    print(given.name, sum(map(len, fakes.values())), "fakes of", sum(len(s.fakes) for s in package.slices.values()))


if __name__ == "__main__":
    main()
