"""The IR of a project's files, each lowered when it is first asked for, or taken from the cache or from a copy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from aoti_lint.files.cache import Cache
from aoti_lint.ir import codec, lower
from aoti_lint.ir.nodes import Module
from aoti_lint.ir.pieces import Definition, Pieces, Row, definition_at, pieces_of
from aoti_lint.lazily.dataclass import replace
from aoti_lint.profile import OFF, Timer
from aoti_lint.source.text import Source
from aoti_lint.text.problem import SourceProblem

if TYPE_CHECKING:
    from aoti_lint.source.interest.interest import Once

_KIND = "ir"


class Lowered:
    """The modules of one project. `source` gives the text of a file, `hashes` that of each whose text was asked for."""

    def __init__(
        self,
        source: Callable[[str], Source | None],
        peek: Callable[[str], Source | None],
        hashes: Mapping[str, str],
        cache: Cache | None,
        note: Callable[[SourceProblem], None],
        once: Once,
        is_doubted: Callable[[str], bool],
        timer: Timer = OFF,
    ) -> None:
        """`peek` is `source` without telling anybody; a file `is_doubted` where Python did not compile it."""
        self._source, self._hashes, self._cache, self._note, self._once = source, hashes, cache, note, once
        self._peek, self._is_doubted, self._timer = peek, is_doubted, timer
        self._modules: dict[str, Module | None] = {}
        self._pieces: dict[str, Pieces] = {}
        self._early: dict[str, Module] = {}
        """What was lowered to see its pieces, and nobody asked for."""
        self._sharing: dict[str, dict[str, None]] = {}
        """By what the cache knows their IR by: the files of one content, which share it."""
        self._unsaved: set[str] = set()
        """Files whose IR is not in the cache as it is now."""
        self._problems: dict[str, list[SourceProblem]] = {}

    def module(self, path: str) -> Module | None:
        """The IR of a file; None, with a problem noted, when it cannot be lowered."""
        if path not in self._modules:
            # Noted as read, whether it is lowered now or was before.
            self._source(path)
            with self._timer.during("read", path):
                self._modules[path], problems = self._once("ir", path, lambda: self._make(path))
            self._problems[path] = problems
            for problem in problems:
                self._note(problem)
        return self._modules[path]

    def _make(self, path: str) -> tuple[Module | None, list[SourceProblem]]:
        """The IR of a file, and what cannot be lowered of it, now or when that is asked for."""
        problems = self._problems.setdefault(path, [])
        known = None if self._is_doubted(path) else self._shared(path) or self._cached(path)
        return known or self._lower(path), problems

    def pieces(self, path: str, content: str | None, once: Once) -> Pieces:
        """What stands where in a file with this content, of which `once` knows what an earlier process made."""
        if path not in self._pieces:
            is_code = content is not None and path.endswith((".py", ".ipynb"))
            rows = once("pieces", path, partial(self._rows, path)) if is_code else []
            self._pieces[path] = Pieces(content or "", rows)
        return self._pieces[path]

    def _rows(self, path: str) -> list[Row]:
        """Nothing is told of the file yet: it may be one that nobody reads but to see whether it is what it was."""
        source = self._peek(path)
        if source is None:
            return []
        tree = self._modules.get(path)
        if path not in self._modules:
            try:
                tree = self._early[path] = self._read(path, source)
            except SourceProblem:
                return []
        return [] if tree is None else pieces_of(tree, source.text.encode("utf-8", "surrogatepass"))

    def definition(self, path: str, start: int) -> Definition:
        """The function, lambda or class that begins at this byte. Raises `LookupError` where there is none."""
        tree = self.module(path)
        found = None if tree is None else definition_at(tree, start)
        if found is None:
            # It cannot be: what is written of a file is used only where its pieces are the same.
            raise LookupError(f"{path} has no definition at byte {start}")
        return found

    def remember(self) -> None:
        """Put what was made since into the cache, and note what could not be lowered of what earlier runs had read."""
        for problem in [one for problems in self._problems.values() for one in problems]:
            self._note(problem)
        if self._cache is not None:
            for path in sorted(self._unsaved):
                module = self._modules.get(path)
                if module is not None:
                    self._cache.put_text(_KIND, self._key(path), codec.dumps(module))
        self._unsaved.clear()

    def _tell(self, path: str, problem: SourceProblem) -> None:
        self._problems.setdefault(path, []).append(problem)
        self._note(problem)

    def _shared(self, path: str) -> Module | None:
        """The IR of another file with the same content: reading it once is enough."""
        if self._source(path) is None:
            return None
        sharing = self._sharing.setdefault(self._key(path), {})
        sharing[path] = None
        module = next((found for one in sharing if (found := self._modules.get(one)) is not None), None)
        return None if module is None else replace(module, path=path)

    def _lower(self, path: str) -> Module | None:
        source = self._source(path)
        if source is None:
            return None
        self._unsaved.add(path)
        try:
            return self._early.pop(path, None) or self._read(path, source)
        except SourceProblem as problem:
            self._tell(path, problem)
            return None

    def _read(self, path: str, source: Source) -> Module:
        """Raises `SourceProblem` for what is no Python."""
        if self._is_doubted(path):
            lower.compiled(source.text, path)
        return lower.lower(source.text, path, self._bodies(path, source))

    def _cached(self, path: str) -> Module | None:
        source = self._source(path)
        if self._cache is None or source is None:
            return None
        text = self._cache.get_text(_KIND, self._key(path))
        if text is None:
            return None
        try:
            module = codec.loads(text, self._bodies(path, source))
        except ValueError:
            return None
        module.path = path
        return module

    def _bodies(self, path: str, source: Source) -> lower.Bodies:
        """What lowers the bodies of functions of a file."""
        changed, problem = partial(self._unsaved.add, path), self._tell_all
        return lower.Bodies(source.text, path, changed, problem, self._timer)

    def _tell_all(self, problem: SourceProblem) -> None:
        """A body that cannot be lowered cannot be in any file of this content."""
        for path in self._sharing.get(self._key(problem.path)) or (problem.path,):
            self._tell(path, SourceProblem(path, problem.message, problem.offset))

    def _key(self, path: str) -> str:
        kind = "notebook" if path.endswith(".ipynb") else "python"
        return f"{kind} {self._hashes[path]}"
