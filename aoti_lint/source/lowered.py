"""The IR of a project's files, each lowered when it is first asked for, or taken from the cache or from a copy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from aoti_lint.cache import Cache
from aoti_lint.ir import codec, lower, pool
from aoti_lint.ir.nodes import Module
from aoti_lint.source.text import Source
from aoti_lint.text.problem import SourceProblem

_KIND = "ir"


class Lowered:
    """The modules of one project. `source` gives the text of a file, `hashes` that of each whose text was asked for."""

    def __init__(
        self,
        source: Callable[[str], Source | None],
        hashes: Mapping[str, str],
        cache: Cache | None,
        note: Callable[[SourceProblem], None],
    ) -> None:
        self._source, self._hashes, self._cache, self._note = source, hashes, cache, note
        self._modules: dict[str, Module | None] = {}
        self._sharing: dict[str, dict[str, None]] = {}
        """By what the cache knows their IR by: the files of one content, which share it."""
        self._unsaved: set[str] = set()
        """Files whose IR is not in the cache as it is now."""

    def module(self, path: str) -> Module | None:
        """The IR of a file; None, with a problem noted, when it cannot be lowered."""
        if path not in self._modules:
            self._modules[path] = self._shared(path) or self._cached(path) or self._lower(path)
        return self._modules[path]

    def prepare(self, paths: Iterable[str]) -> None:
        """Lower those that are not in the cache, in several processes if there is enough to do."""
        missing: dict[str, tuple[str, str]] = {}
        for path in paths:
            if path not in self._modules:
                source = self._source(path)
                if source is not None and self._key(path) in missing:
                    continue
                module = None if source is None else self._shared(path) or self._cached(path)
                if module is not None or source is None:
                    self._modules[path] = module
                else:
                    missing[self._key(path)] = path, source.text
        workers = pool.workers_for(sum(len(text) for _, text in missing.values()))
        if workers == 1:
            return
        for path, lowered in pool.lower_many([*missing.values()], workers):
            if isinstance(lowered, SourceProblem):
                self._note(lowered)
                self._modules[path] = None
            else:
                self._unsaved.add(path)
                self._modules[path] = codec.loads(lowered, self._bodies(path))

    def remember(self) -> None:
        """Put what was made since into the cache."""
        if self._cache is not None:
            for path in sorted(self._unsaved):
                module = self._modules.get(path)
                if module is not None:
                    self._cache.put_text(_KIND, self._key(path), codec.dumps(module))
        self._unsaved.clear()

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
            return lower.lower(source.text, path, self._bodies(path))
        except SourceProblem as problem:
            self._note(problem)
            return None

    def _cached(self, path: str) -> Module | None:
        if self._cache is None or self._source(path) is None:
            return None
        text = self._cache.get_text(_KIND, self._key(path))
        if text is None:
            return None
        try:
            module = codec.loads(text, self._bodies(path))
        except ValueError:
            return None
        module.path = path
        return module

    def _bodies(self, path: str) -> lower.Bodies:
        """What lowers the bodies of functions of a file that was read."""
        source = self._source(path)
        assert source is not None
        return lower.Bodies(source.text, path, changed=lambda: self._unsaved.add(path), problem=self._note_for_all)

    def _note_for_all(self, problem: SourceProblem) -> None:
        """A body that cannot be lowered cannot be in any file of this content."""
        for path in self._sharing.get(self._key(problem.path)) or (problem.path,):
            self._note(SourceProblem(path, problem.message, problem.offset))

    def _key(self, path: str) -> str:
        kind = "notebook" if path.endswith(".ipynb") else "python"
        return f"{lower.LOWERING_VERSION} {kind} {self._hashes[path]}"
