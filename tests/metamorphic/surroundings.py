"""Changes of what stands around code, and of where it stands: none of them may decide what is said of it."""

from __future__ import annotations

import ast
import itertools
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from tests.metamorphic.names import Definition, reads
from tests.metamorphic.programs import Program


@dataclass(frozen=True)
class Layout:
    """A program in other surroundings: its files, the former names of those that have new ones, and files that are
    not its own."""

    files: dict[str, str]
    back: dict[str, str] = field(default_factory=dict)
    more: frozenset[str] = frozenset()


# ---------------------------------------------------------------- other names

_FIXED = re.compile(r"__\w+__|conftest|setup|_?test_\w*|\w*_test")


def renamed(program: Program, order: Sequence[int] | None = None) -> Layout | None:
    """The scripts and modules under names that sort the other way round (or in `order`); None where none can be."""
    able = [path for path in sorted(program.scripts) if _is_renameable(program, path)]
    if not able:
        return None
    ranks = order or range(len(able))[::-1]
    stems: dict[str, str] = {}
    new: dict[str, str] = {}
    for path, rank in zip(able, ranks, strict=True):
        place = PurePosixPath(path)
        stems[place.stem] = f"m{rank:03}_{place.stem}"
        new[path] = str(place.with_name(f"{stems[place.stem]}.py"))
    files = {new.get(path, path): text for path, text in program.files.items()}
    for path, text in program.scripts.items():
        files[new.get(path, path)] = _with_imports(text, stems)
    return Layout(files, {name: path for path, name in new.items()})


def _is_renameable(program: Program, path: str) -> bool:
    """Whether nothing but imports that can be changed names the module."""
    stem = PurePosixPath(path).stem
    if _FIXED.fullmatch(stem):
        return False
    if sum(PurePosixPath(other).stem == stem for other in program.files) > 1:
        return False
    word = re.compile(rf"(?<!\w){re.escape(stem)}(?!\w)")
    for other, text in program.files.items():
        if not word.search(text):
            continue
        if other not in program.scripts:
            return False
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Constant(value=str(value)) if word.search(value):
                    return False
                case ast.Import(names=names) if any(stem in a.name.split(".") and a.name != stem for a in names):
                    return False
                case ast.ImportFrom(module=module) if module and stem in module.split(".")[:-1]:
                    return False
    return True


def _with_imports(text: str, stems: Mapping[str, str]) -> str:
    """The text with the names of modules in its imports changed; what they bind stays."""
    changes: list[tuple[int, int, str]] = []
    lines = [0]
    for line in text.encode().splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names=names):
                for one in names:
                    if one.name in stems:
                        changes.append(_change(lines, one, f"{stems[one.name]} as {one.asname or one.name}"))
            case ast.ImportFrom(module=module, names=names, level=level):
                last = (module or "").rpartition(".")[2]
                if last in stems and (level or not (module or "").startswith("torch")):
                    start = lines[node.lineno - 1] + node.col_offset
                    head, dots = text.encode()[start:].split(b"import", 1)[0], "." * level
                    path = f"{dots}{module}"[: -len(last)] + stems[last]
                    changes.append((start, start + len(head), f"from {path} "))
                for one in names:
                    if one.name in stems and _is_module(module, level, last, stems):
                        changes.append(_change(lines, one, f"{stems[one.name]} as {one.asname or one.name}"))
    data = text.encode()
    for start, end, new in sorted(changes, reverse=True):
        data = data[:start] + new.encode() + data[end:]
    return data.decode()


def _is_module(module: str | None, level: int, last: str, stems: Mapping[str, str]) -> bool:
    """Whether what is imported from here may be a module: a package of the project, not one of its modules."""
    return last not in stems and (level > 0 or not (module or "").startswith("torch"))


def _change(lines: Sequence[int], node: ast.alias, new: str) -> tuple[int, int, str]:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return lines[node.lineno - 1] + node.col_offset, lines[node.end_lineno - 1] + node.end_col_offset, new


# ---------------------------------------------------------------- another order

_QUIET = {"property", "staticmethod", "classmethod", "abstractmethod", "no_grad", "inference_mode", "dataclass",
          "fixture", "contextmanager", "cache", "lru_cache", "wraps", "override"}  # fmt: skip
"""Last names of decorators that only make something of what stands below them."""


def reordered(program: Program, turn: Callable[[list[int]], list[int]]) -> Layout | None:
    """Functions, classes and methods that need none of their neighbours when they are defined, in the order of
    `turn`; None where there is nothing to turn."""
    files = {**program.files}
    for path, text in program.scripts.items():
        files[path] = _reordered(text, turn)
    return None if files == program.files else Layout(files)


def _reordered(text: str, turn: Callable[[list[int]], list[int]]) -> str:
    data = text.splitlines(keepends=True)
    if data and not data[-1].endswith("\n"):
        data[-1] += "\n"
    # The innermost first: a turned class is as long as before.
    tree = ast.parse(text)
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    for body in (*(node.body for node in reversed(classes)), tree.body):
        for run in _runs(body):
            starts = [_start(one) for one in run]
            ends = [one.end_lineno or one.lineno for one in run]
            if any(end > start for end, start in zip(ends, starts[1:], strict=False)):
                continue
            parts = [data[starts[0] : ends[0]]]
            parts += [data[a:b] for a, b in itertools.pairwise(ends)]
            # Blank lines and comments between two go with the second.
            data[starts[0] : ends[-1]] = [line for index in turn([*range(len(run))]) for line in parts[index]]
    return "".join(data)


def _start(node: ast.stmt) -> int:
    decorators = node.decorator_list if isinstance(node, Definition) else []
    return min([node.lineno, *(one.lineno for one in decorators)]) - 1


def _runs(body: Sequence[ast.stmt]) -> list[list[ast.stmt]]:
    """Neighbours that may change places, whichever way."""
    names = [one.name for one in body if isinstance(one, Definition)]
    found: list[list[ast.stmt]] = [[]]
    bound: set[str] = set()
    for one in body:
        fits = isinstance(one, Definition) and names.count(one.name) == 1 and _is_quiet(one)
        if not fits:
            found.append([])
            bound = set()
            continue
        assert isinstance(one, Definition)
        if _needs(one) & bound:
            found.append([])
            bound = set()
        found[-1].append(one)
        bound.add(one.name)
    return [run for run in found if len(run) > 1]


def _is_quiet(node: ast.stmt) -> bool:
    assert isinstance(node, Definition)
    for one in node.decorator_list:
        call = one.func if isinstance(one, ast.Call) else one
        name = call.attr if isinstance(call, ast.Attribute) else call.id if isinstance(call, ast.Name) else ""
        if name not in _QUIET:
            return False
    return True


def _needs(node: ast.stmt) -> set[str]:
    """The names that a definition reads when it is executed."""
    if isinstance(node, ast.ClassDef):
        inner = [one for one in node.body if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
        methods = [one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
        heads = [*node.decorator_list, *node.bases, *(k.value for k in node.keywords)]
        statements = [*(ast.Expr(one) for one in heads), *inner]
        return set().union(*(reads(one) for one in statements), *(_needs(one) for one in methods))
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    others = [*arguments.kw_defaults, *(one.annotation for one in every), node.returns]
    executed = [*node.decorator_list, *arguments.defaults, *(one for one in others if one is not None)]
    return set().union(*(reads(ast.Expr(one)) for one in executed))


def backwards(order: list[int]) -> list[int]:
    return order[::-1]


def shuffled(seed: int) -> Callable[[list[int]], list[int]]:
    """A turn that is always the same for a seed."""
    return lambda order: random.Random(seed).sample(order, len(order))


# ---------------------------------------------------------------- those that import it

LEADING = "\ndef leads(run):\n    import torch\n    return torch.compile(run)\n"
"""What makes a file one that has to be looked at."""

IMPORTERS: dict[str, str] = {
    "in a handler": "try:\n    import nothing_of_that_name\nexcept ImportError:\n    import {m}\n",
    "that may be missing": "try:\n    import {m}\nexcept ImportError:\n    {m} = None\n",
    "in a function": "def late():\n    import {m}\n    return {m}\n",
    "in a method": "class Late:\n    def __init__(self):\n        import {m}\n        self.m = {m}\n"
    "    def run(self):\n        return self.m\n",
    "in a class": "class Holder:\n    import {m}\n",
    "of a test": "import pytest\n@pytest.fixture\ndef module():\n    import {m}\n    return {m}\n"
    "def test_it(module):\n    assert module\n",
    "by name": "import importlib\nmodule = importlib.import_module('{m}')\n",
    "with a star": "from {m} import *\n",
    "with a star in a handler": "try:\n    from {m} import *\nexcept Exception:\n    pass\n",
    "where it is raised": "import pytest\ndef test_raises():\n    with pytest.raises(RuntimeError):\n"
    "        import {m}\n",
    "in a branch": "import os\nif os.environ.get('ANY_OF_THESE'):\n    import {m}\n",
    "when compiled": "import torch\n@torch.compile\ndef run(x):\n    import {m}\n    return x\nrun(1)\n",
    "when exported": "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        import {m}\n"
    "        return x\ntorch.export.export(Net(), (torch.ones(2),))\n",
}
"""Ways to import the module `m`."""


def imported(program: Program, path: str, how: str, first: bool) -> Layout:
    """The program with another file that imports `path`; `first`: it is the first of all files, else the last."""
    name = f"{'000' if first else 'zzz'}_importer.py"
    if how == "of a test":
        name = f"test_{name}"
    text = IMPORTERS[how].format(m=_dotted(path)) + LEADING
    return Layout({**program.files, name: text}, more=frozenset({name}))


def is_module(path: str) -> bool:
    """Whether a statement can import the file from its folder."""
    return "/" not in path and PurePosixPath(path).stem.isidentifier() and not path.startswith("__")


def _dotted(path: str) -> str:
    return PurePosixPath(path).stem


CALLERS: dict[str, str] = {
    "in a constructor": "class Caller:\n    def __init__(self):\n        {calls}\n    def other(self):\n"
    "        return leads(self)\n",
    "in an exported forward": "import torch\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        {calls}\n"
    "        return x\ntorch.export.export(Net(), (torch.ones(2),))\n",
    "in a decorator": "def wrapping(function):\n    {calls}\n    return function\n@wrapping\ndef wrapped():\n"
    "    return leads(1)\n",
    "in a method": "class Runner:\n    def __init__(self, way):\n        self.way = way\n    def go(self):\n"
    "        {calls}\n",
    "in a fixture": "import pytest\n@pytest.fixture\ndef made():\n    {calls}\n    return 1\n"
    "def test_made(made):\n    assert leads(made)\n",
    "in a branch": "import os\nif os.environ.get('ANY_OF_THESE'):\n    {calls}\n",
    "in a handler": "try:\n    import nothing_of_that_name\nexcept ImportError:\n    {calls}\n",
    "in a test that may be left out": "import os\nimport pytest\n"
    "@pytest.mark.skipif(bool(os.environ.get('ANY_OF_THESE')), reason='')\ndef test_them():\n    {calls}\n",
    "in a generator": "def each():\n    yield 1\n    {calls}\n",
    "in a coroutine": "async def later():\n    {calls}\n",
    "in a lambda": "later = lambda: [{list}]\n",
    "in a fake": "import torch\n@torch.library.custom_op('caller_only::op', mutates_args=())\n"
    "def op(x: torch.Tensor) -> torch.Tensor:\n    return x.clone()\n@op.register_fake\ndef _(x):\n    {calls}\n"
    "    return torch.empty_like(x)\n",
}
"""Places that are run for what they leave behind, or tried; `calls` calls all that the module offers."""


def called(program: Program, path: str, how: str, first: bool) -> Layout | None:
    """The program with another file that calls what `path` defines; None where it defines nothing to call."""
    calls = [f"{_dotted(path)}.{name}()" for name in _callables(ast.parse(program.files[path]))]
    if not calls:
        return None
    name = f"{'000' if first else 'zzz'}_caller.py"
    if "pytest" in CALLERS[how]:
        name = f"test_{name}"
    body = CALLERS[how].replace("{calls}", "; ".join(calls)).replace("{list}", ", ".join(calls))
    text = f"import {_dotted(path)}\n" + LEADING + body
    return Layout({**program.files, name: text}, more=frozenset({name}))


def _callables(tree: ast.Module) -> list[str]:
    """The classes of a module, and its functions that need no arguments."""
    return [
        node.name
        for node in tree.body
        if (isinstance(node, ast.ClassDef) and not node.name.startswith("Test"))
        or (isinstance(node, ast.FunctionDef) and not any(_required(node.args)))
    ]


def _required(arguments: ast.arguments) -> list[ast.arg]:
    positional = [*arguments.posonlyargs, *arguments.args]
    keyword = [one for one, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is None]
    return [*positional[: len(positional) - len(arguments.defaults)], *keyword]
