"""Which files speak of exporting and the like, themselves or through what they import from the project.

A file whose only needles stand in comments and strings does not matter; a script without any needle does, when it uses
a helper of the project that exports or loads. Both are decided here with Python's own parser, ten times cheaper than
the one that makes the IR. When a file cannot be parsed here, its needles decide.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Iterator
from types import CodeType

from aoti_lint.source import needles

# Names that say what a file is about. Using one makes the top-level function around it matter to its importers, too.
_CARRIED = re.compile(
    r"_?aoti\w*|AOTI\w*|aot_(?:compile|load)\w*|load_package|export|draft_export|export_for_\w+"
    r"|capture_pre_autograd_graph|dynamic_dim|custom_op|register_fake|impl_abstract"
)
# Names that make a file matter, but not those that import from it.
_LOCAL = re.compile(r"_export|_inductor|library|Library|triton_op|register_kernel|\w*dynamic_dim\w*")

_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+(?P<dots>\.*)[ \t]*(?P<module>[\w.]*)[ \t]+import[ \t]*(?P<names>\([^)]*\)|(?:[^\r\n\\#;]|\\\r?\n)+)"
    rb"|import[ \t]+(?P<modules>(?:[^\r\n\\#;]|\\\r?\n)+))",
    re.MULTILINE,
)
# An assignment at the start of a line, with the lines that belong to it.
_ASSIGNMENT = re.compile(rb"^([A-Za-z_]\w*)[ \t]*(?::[^=\r\n]+)?=(?!=)([^\n]*(?:\n[ \t)\]}][^\n]*)*)", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")
_COMMENT = re.compile(rb"#[^\r\n]*")
_NAMES = re.compile(r"([\w.]+|\*)(?:\s+as\s+(\w+))?")

_UNPARSABLE = (SyntaxError, ValueError, LookupError, RecursionError, MemoryError, OverflowError)


class Interest:
    """Judges the files of one project, each once.

    `read` gives the Python text of a file as bytes or as a string, or None; `resolve` is `ModuleIndex.resolve`.
    """

    def __init__(
        self, read: Callable[[str], bytes | str | None], resolve: Callable[[str, int, str], str | None]
    ) -> None:
        self._read = read
        self._resolve = resolve
        self._judged: dict[str, tuple[bool, frozenset[str]]] = {}

    def interesting(self, path: str) -> bool:
        """Whether the file has to be analysed."""
        return self._judge(path)[0]

    def symbols(self, path: str) -> frozenset[str]:
        """The top-level names of the file that make a file importing them interesting."""
        return self._judge(path)[1]

    def _judge(self, path: str) -> tuple[bool, frozenset[str]]:
        judged = self._judged.get(path)
        if judged is None:
            # What an import cycle asks for in the meantime.
            self._judged[path] = False, frozenset()
            judged = self._judged[path] = self._look(path)
        return judged

    def _look(self, path: str) -> tuple[bool, frozenset[str]]:
        text = self._read(path)
        if text is None:
            return False, frozenset()
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        imported = self._imported(path, data)
        own = needles.interesting(data)
        if not own and not imported:
            return False, frozenset()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return _examine(text, data, imported)
        except _UNPARSABLE:
            return own, frozenset(imported)

    def _imported(self, path: str, data: bytes) -> set[str]:
        """Names the file imports from the project, or reaches in an imported module, that make it interesting."""
        names: set[str] = set()
        for found in _IMPORT.finditer(data):
            if found["modules"] is not None:
                for dotted, _ in _pairs(found["modules"]):
                    names |= self._symbols_of(dotted, 0, path)
                continue
            level, module = len(found["dots"]), found["module"].decode("utf-8", "ignore")
            symbols = self._symbols_of(module, level, path)
            for name, alias in _pairs(found["names"]):
                if name == "*":
                    names |= symbols
                elif name in symbols:
                    names.add(alias or name)
                else:
                    names |= self._symbols_of(f"{module}.{name}" if module else name, level, path)
        return names

    def _symbols_of(self, dotted: str, level: int, path: str) -> frozenset[str]:
        if dotted.partition(".")[0] == "torch" and not level:
            return frozenset()
        target = self._resolve(dotted, level, path)
        return frozenset() if target is None or target == path else self.symbols(target)


def _pairs(names: bytes) -> Iterator[tuple[str, str | None]]:
    """Each name and its `as` name in the list of an import statement."""
    text = _COMMENT.sub(b"", names).decode("utf-8", "ignore").replace("\\", " ")
    for name, alias in _NAMES.findall(text):
        yield name, alias or None


def _examine(text: bytes | str, data: bytes, imported: set[str]) -> tuple[bool, frozenset[str]]:
    """Whether a file matters, and its top-level names that matter to its importers."""
    code = compile(text, "<source>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True, optimize=0)
    parts = [(part.co_name, _names(part)) for part in code.co_consts if isinstance(part, CodeType)]
    everything = _own_names(code).union(*(names for _, names in parts))
    interesting = bool(everything & imported) or any(
        _CARRIED.fullmatch(name) or _LOCAL.fullmatch(name) for name in everything
    )
    if not interesting:
        return False, frozenset()
    parts.extend(
        (found[1].decode("utf-8", "ignore"), set(_WORD.findall(found[2].decode("utf-8", "ignore"))))
        for found in _ASSIGNMENT.finditer(data)
    )
    symbols = imported | _bound_by_imports(data)
    again = True
    while again:
        again = False
        for name, names in parts:
            if name not in symbols and (names & symbols or any(_CARRIED.fullmatch(used) for used in names)):
                symbols.add(name)
                again = True
    return True, frozenset(symbols)


def _names(code: CodeType) -> set[str]:
    """Global names, attributes and imported modules used anywhere in a function or class."""
    names = _own_names(code)
    todo = [code]
    while todo:
        for constant in todo.pop().co_consts:
            if isinstance(constant, CodeType):
                names |= _own_names(constant)
                todo.append(constant)
    return names


def _own_names(code: CodeType) -> set[str]:
    """The names used directly in some code."""
    names = set(code.co_names)
    for name in code.co_names:
        if "." in name:
            names.update(name.split("."))
    return names


def _bound_by_imports(data: bytes) -> set[str]:
    """Names bound to parts of torch that matter."""
    bound = set()
    for found in _IMPORT.finditer(data):
        if found["modules"] is not None:
            imports = [(dotted, alias) for dotted, alias in _pairs(found["modules"]) if alias]
        elif found["dots"]:
            continue
        else:
            module = found["module"].decode("utf-8", "ignore")
            imports = [(f"{module}.{name}", alias or name) for name, alias in _pairs(found["names"])]
        for dotted, local in imports:
            parts = dotted.split(".")
            if parts[0] == "torch" and local and any(_CARRIED.fullmatch(part) for part in parts):
                bound.add(local)
    return bound
