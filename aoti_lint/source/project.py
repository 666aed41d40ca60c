"""The files of one run: which matter, their texts and their IR, each read at most once.

One class answers all that is asked of them, so that what a unit asked can be written down at one door.
"""

from __future__ import annotations

import os
from bisect import insort
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, partial

from aoti_lint.files.cache import content_hash
from aoti_lint.files.opener import read_file, source_kind
from aoti_lint.lazily.regex import regex
from aoti_lint.profile import OFF, Timer
from aoti_lint.source.discovery.context import Context, find_context
from aoti_lint.source.discovery.discover import is_archive, is_native, is_python
from aoti_lint.source.interest import needles
from aoti_lint.source.interest.interest import Imports, Interest
from aoti_lint.source.interest.mentions import Mentions
from aoti_lint.source.modules import ModuleIndex
from aoti_lint.source.remembered.dependencies import Dependencies, kind_of, same_names
from aoti_lint.source.remembered.glances import Glances
from aoti_lint.source.text import Source, read_source
from aoti_lint.text.comments import blanked_bytes
from aoti_lint.text.problem import SourceProblem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any, TypeVar

    from aoti_lint.diagnostics import Span
    from aoti_lint.files.cache import Cache
    from aoti_lint.ir.nodes import Module
    from aoti_lint.ir.pieces import Definition, Pieces
    from aoti_lint.source.lowered import Lowered
    from aoti_lint.source.remembered.in_memory import Contents

    T = TypeVar("T")

_JUDGED = "judged"


class Project:
    """The sources under one root.

    `files` are those the user named, relative to the root, with `/`; `settings` are the named ones that set variables,
    of which only the texts can be asked for; `natives` are the named C++ sources. `overlay` gives the contents of files
    that are not, or not so, on disk (standard input, an editor's buffers). All paths given and taken are relative to
    the root.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        files: Iterable[str],
        *,
        settings: Iterable[str] = (),
        cache: Cache | None = None,
        overlay: Mapping[str, bytes] | None = None,
        exclude: Sequence[str] = (),
        others: Iterable[str] = (),
        kept: Contents | None = None,
        glances: Glances | None = None,
        timer: Timer = OFF,
    ) -> None:
        """`kept` is what earlier projects with the same root have made of files, `glances` what is known of these.

        `others` are files of the project, named or not; see `take_along` for those that are not.
        """
        self._root = os.path.abspath(root)
        self._overlay = dict(overlay or {})
        self._cache = cache
        self._exclude = exclude
        self._kept, self._timer = kept, timer
        self._read: dict[str, str | None] = {}
        self._hashes: dict[str, str] = {}
        self._contents: dict[str, str | None] = {}
        self._sources: dict[str, Source | None] = {}
        self._context: Context | None = None
        self._words: dict[str, Context] = {}
        self._holding: dict[tuple[str, ...], list[str]] = {}
        self._kinds: dict[str, str] = {}
        self.settings = sorted(settings)
        self.all_files = sorted({*files, *self._overlay}.difference(self.settings))
        self._named = frozenset({*self.all_files, *self.settings})
        self._own: Container[str] | None = None
        """The named files that are reported, where that is not all of them."""
        self.problems: list[SourceProblem] = []
        self.natives = [path for path in self.all_files if is_native(path)]
        scripts = sorted(set(self.all_files).difference(self.natives))
        self.others = sorted({*others}.difference(self._named))
        self._scripts = frozenset({*scripts, *filter(is_python, self.others)})
        self.beside: list[str] = []
        """Those of the other files that are analysed with the named ones, as they may have to do with them."""
        self._index = ModuleIndex(self._root, self._scripts, self._overlay)
        self._glances = glances or Glances(self._root, self._overlay, cache, kept)
        self._mentions = Mentions(self._root, exclude, self._glances)
        self._interest = Interest(self._python, self.resolve, self.once, self.content)
        told = self._glances.last(_JUDGED, self._all_names)
        if told is not None and self.has_names(told["names"]):
            self._interest.take(told["files"])
        self.reported = [path for path in scripts if self._interest.interesting(path)]
        self.telling = [path for path in self.natives if needles.is_about_models(self.data(path) or b"")]
        """The named C++ sources that may register ops, or load what a script compiles."""
        self.copies: dict[str, list[str]] = {}
        """By some of the reported files: those of which the same is to be said, which are not analysed."""
        self.copied: frozenset[str] = frozenset()
        """These copies, of all files."""

    @property
    def matters(self) -> bool:
        """Whether there is anything to analyse."""
        return bool(self.reported or self.telling or self.beside)

    @cached_property
    def analysed(self) -> list[str]:
        """The Python files that are run: the reported ones, and those beside them."""
        return sorted({*self.reported, *filter(is_python, self.beside)})

    @cached_property
    def all_natives(self) -> list[str]:
        """The C++ sources among the named files, and those beside them."""
        return sorted({*self.natives, *filter(is_native, self.beside)})

    @cached_property
    def outline(self) -> str:
        """A hash of which files there are, and of how each is read."""
        files = [self.all_files, self.settings, self.natives, self.reported, self.telling, self.beside]
        return content_hash(repr([*files, self.copies]).encode("utf-8", "surrogatepass"))

    def take_along(self, paths: Iterable[str]) -> None:
        """Analyse these of the other files with the named ones."""
        self.beside = sorted(paths)

    def join(self, copies: dict[str, list[str]]) -> None:
        """Say of these files what is found in the reported ones that they are copies of."""
        self.copies = copies
        self.copied = frozenset(path for those in copies.values() for path in those)
        self.reported = [path for path in self.reported if path not in self.copied]

    def may_matter(self, path: str) -> bool:
        """Whether there is anything to analyse in a file."""
        return needles.is_context(self.data(path) or b"") if is_native(path) else self._interest.interesting(path)

    def keep(self, paths: Container[str]) -> None:
        """Analyse and report these of the named files alone; the others are files of the project beside them."""
        self._own = paths
        self.reported = [path for path in self.reported if path in paths]
        self.telling = [path for path in self.telling if path in paths]

    def is_root(self, path: str) -> bool:
        """Whether a check of the whole project runs this file for itself, not only where others import it."""
        return path in self._scripts and self._interest.interesting(path)

    def owns(self, path: str) -> bool:
        """Whether a named file is one of those that are reported."""
        return self._own is None or path in self._own

    @property
    def name(self) -> str:
        """The name of the folder that is the root."""
        return os.path.basename(self._root)

    @property
    def root(self) -> Path:
        """The project root, absolute."""
        from pathlib import Path  # takes as long to load as a small file to check

        return Path(self._root)

    # ------------------------------------------------------------ texts and IR

    def data(self, path: str) -> bytes | None:
        """The bytes of a file; None, with a problem if the user named it, when it cannot be read."""
        data = self._overlay.get(path)
        if data is None:
            try:
                absolute = os.path.join(self._root, path)
                read = partial(read_file, absolute, source_kind(path))
                data = read() if self._kept is None else self._kept.of_file("data", absolute, read)
            except OSError as error:
                if path in self._named:
                    self._note(SourceProblem(path, error.strerror or "cannot be read"))
                else:
                    self._read.setdefault(path, None)
                return None
        if path not in self._named and self._read.get(path) is None:
            self._read[path] = content_hash(data)
        return data

    def source(self, path: str) -> Source | None:
        """The text of a file; None, with a problem noted, when it cannot be read or decoded. Archives have none."""
        if path not in self._sources:
            self._sources[path] = None
            if is_archive(path):
                return None
            data = self.data(path)
            if data is not None:
                # As it was read: it may have been written since the disk was asked.
                self._hashes[path] = self._contents[path] = content_hash(data)
                read = self._once("source", path, partial(_read, data, path))
                if isinstance(read, SourceProblem):
                    self._note(read)
                else:
                    self._sources[path] = read
        return self._sources[path]

    def _peek(self, path: str) -> Source | None:
        """The text of a file, with nothing noted of it."""
        data = None if is_archive(path) else self.data(path)
        found = None if data is None else self._once("source", path, partial(_read, data, path))
        return None if isinstance(found, SourceProblem) else found

    def module(self, path: str) -> Module | None:
        """The IR of a file, lowered when first asked for; None, with a problem noted, when that fails."""
        return self._lowered.module(path)

    def top_level(self, path: str) -> Module | None:
        """The IR of a file, for whoever looks into a function only through its `Code`."""
        return self.module(path)

    def pieces(self, path: str) -> Pieces:
        """What stands where in a file of Python; any other has no pieces."""
        return self._lowered.pieces(path, self.content(path), self.once)

    def piece(self, path: str, name: str) -> str | None:
        """A hash of the text of a piece of a file; None where there is none of this name."""
        found = self.pieces(path).find(name)
        return None if found is None else found.text

    def has_lines(self, path: str, name: str, *lines: str) -> bool:
        """Whether a piece of a file has lines of these names."""
        return all(self.pieces(path).start_of(name, line) is not None for line in lines)

    def text_at(self, span: Span) -> str:
        """What stands at a place, without comments that stand alone; empty where the file cannot be read."""
        near = self.pieces(span.path).near(span.start)
        return self.text_of(span.path, near.piece.name, near.line, span.start - near.start, span.end - span.start)

    def text_of(self, path: str, piece: str, line: str, offset: int, length: int) -> str:
        """The same, as many bytes that begin so far behind the beginning of a piece, or of a line of it."""
        start, source = self.pieces(path).start_of(piece, line), self.source(path)
        if source is None or start is None:
            return ""
        data = source.code.encode("utf-8", "surrogatepass")
        return data[start + offset : start + offset + length].decode("utf-8", "replace")

    def definition(self, path: str, start: int) -> Definition:
        """The function, lambda or class that begins at this byte. Raises `LookupError` where there is none."""
        return self._lowered.definition(path, start)

    def content(self, path: str) -> str | None:
        """A hash of what a file holds; None where it cannot be read."""
        if path not in self._contents:
            known = self._glances.content(path)
            if known is None:
                data = self.data(path)
                known = None if data is None else content_hash(data)
            elif path not in self._named:
                self._read[path] = known
            self._contents[path] = known
        return self._contents[path]

    def remember(self) -> None:
        """Put the IR that was made since into the cache, how the files were judged, and what they mention."""
        self._lowered.remember()
        self._mentions.remember()
        judged = {"names": self.names(), "files": self._interest.told()}
        self._glances.keep(_JUDGED, judged, self._all_names)

    @cached_property
    def _lowered(self) -> Lowered:
        # Only where something is analysed: it brings json and the IR.
        from aoti_lint.source.lowered import Lowered

        return Lowered(
            self.source,
            self._peek,
            self._hashes,
            self._cache,
            self._note,
            self._once,
            self._interest.doubts,
            self._timer,
        )

    def reads(self, path: str) -> None:
        """What a file holds counts, though it need not be looked at."""
        content = self.content(path)
        if content is not None:
            self._hashes[path] = content

    def content_hashes(self) -> dict[str, str]:
        """The hash of the content of every source whose text was asked for so far."""
        return dict(self._hashes)

    def once(self, kind: str, path: str, make: Callable[[], T], *more: Hashable) -> T:
        """What is made of the content of a file, and of `more`: of JSON's types, and kept for the next process."""
        return self._glances.once((kind, self.content(path), path[-6:] == ".ipynb", *more), make)

    def ties(self, path: str) -> dict[str, list[Any]]:
        """What a file names (see `source.ties.naming`). That the run depends on it is no matter of this file alone."""
        return self._glances.ties(path)

    def speaks_of(self, path: str, names: Iterable[str]) -> bool:
        """Whether one of these names stands in the text of a file."""
        return self._glances.speaks_of(path, names)

    def glance(self, path: str) -> str | None:
        """A hash of what a file holds, of which the run shall not depend for it; None where it cannot be read."""
        return self._glances.content(path)

    def once_for(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, of JSON's types, made once for all runs: the `key` holds all that it depends on."""
        return self._glances.once(key, make)

    def symbols(self, path: str) -> dict[str, int]:
        """The names in a script that make others that import it interesting (see `Interest`)."""
        return self._interest.symbols(path) if path in self._scripts else {}

    def imports(self, path: str) -> Imports | None:
        """What a Python file imports, as its text says it; None where it cannot be read."""
        return self._interest.imports(path)

    def holds(self, path: str, *texts: str) -> bool:
        """Whether one of these texts stands in a file; comments that stand alone in Python do not count."""
        wanted = [text.encode() for text in texts]

        def look() -> bool:
            data = self.data(path) or b""
            data = blanked_bytes(data) if path.endswith(".py") else data
            return any(text in data for text in wanted)

        return self.once("holds", path, look, content_hash(b"\0".join(wanted), 5))

    def holding(self, *texts: str) -> list[str]:
        """The named files, and those of `context`, in which one of these texts stands."""
        if texts not in self._holding:
            files = dict.fromkeys((*self.all_files, *self.context()))
            self._holding[texts] = [path for path in files if self.holds(path, *texts)]
        return self._holding[texts]

    def finding(self, pattern: str, *texts: str) -> list[list[str]]:
        """The analysed files that hold one of these texts, each with what a regular expression finds in its code.

        It reads UTF-8. A file in which it finds nothing is left out.
        """
        name, searched = content_hash("\0".join((pattern, *texts)).encode(), 5), regex(pattern.encode())

        def look(path: str) -> list[str]:
            data = self.data(path) or b""
            source = self.source(path) if any(text.encode() in data for text in texts) else None
            data = b"" if source is None else source.code.encode("utf-8", "surrogatepass")
            return list(dict.fromkeys(one[0].decode("utf-8", "surrogatepass") for one in searched.finditer(data)))

        # Of most files it is known that they hold nothing, and of every file it is asked after each edit.
        found = [[path, *self.once("finds", path, partial(look, path), name)] for path in self.analysed]
        return [one for one in found if len(one) > 1]

    def is_file(self, path: str) -> bool:
        """Whether there is a file at `path`."""
        return path in self._overlay or self._kind(path) == "file"

    # ------------------------------------------------------------ modules

    def resolve(self, dotted: str, level: int, importer: str) -> str | None:
        """The file that an import means: `level` counts leading dots, `importer` is the file that imports.

        None for modules that are not the project's, and for namespace packages, which have no file.
        """
        return self._index.resolve(dotted, level, importer)

    @property
    def holds_torch(self) -> bool:
        """Whether torch's own sources lie in the project: then no release says what torch has."""
        return self.resolve("torch.nn.functional", 0, "") is not None

    def is_package(self, dotted: str, level: int, importer: str) -> bool:
        """Whether submodules can be imported from `dotted`, be it a package or a mere folder."""
        return self._index.is_package(dotted, level, importer)

    def leads(self, path: str, qualname: str) -> bool:
        """Whether a function or method of a file leads to exporting and the like, by the names in it."""
        return self._interest.leads(path, qualname)

    def module_name(self, path: str) -> str:
        """The dotted name under which the project would import a file."""
        return self._index.name(path)

    # ------------------------------------------------------------ context

    def context(self) -> list[str]:
        """Files below the root, in any language, that may hold what a finding depends on; named ones included.

        The search reads a bounded number of files and bytes; `context_complete` says whether that was enough.
        """
        return self._found_context().files

    @property
    def context_complete(self) -> bool:
        """Whether `context` saw every file below the root."""
        return self._found_context().complete

    def mentions(self, word: str) -> Context:
        """Files below the root, in any language, that contain `word`, and whether all could be looked at."""
        if word not in self._words:
            self._words[word] = self._mentions.of(word)
        return self._words[word]

    def has_folder(self, path: str) -> bool:
        """Whether there is a folder on disk at `path`, relative to the root."""
        return self._kind(path) == "folder"

    def _kind(self, path: str) -> str:
        if path not in self._kinds:
            self._kinds[path] = kind_of(os.path.join(self._root, path))
        return self._kinds[path]

    def _found_context(self) -> Context:
        if self._context is None:
            self._context = find_context(self._root, self.all_files, self._exclude, self._glances.is_context)
        return self._context

    def dependencies(self) -> Dependencies:
        """What on disk the answers so far depend on, the named files aside."""
        return Dependencies(self._read, self._index.seen(), self._context, self._words, self._kinds)

    def names(self) -> list[Any]:
        """What the answers so far depend on of the names of files and folders, of JSON's types."""
        folders, there = self.dependencies().names
        return [self._all_names, dict(folders), dict(there)]

    def has_names(self, names: Sequence[Any]) -> bool:
        """Whether that is what it was; the run depends on it from now on."""
        files, folders, there = names
        return files == self._all_names and same_names(folders, there, self._index.listing, self._kind)

    @cached_property
    def _all_names(self) -> str:
        return content_hash(repr(sorted({*self._scripts, *self._overlay})).encode("utf-8", "surrogatepass"))

    # ------------------------------------------------------------ inside

    def _python(self, path: str) -> bytes | str | None:
        """The Python text of a file, as bytes where it needs no decoding by us."""
        data = self.data(path)
        if data is None or not path.endswith(".ipynb"):
            return data
        if not needles.interesting(data):
            return None
        source = self.source(path)
        return None if source is None else source.text

    def _once(self, kind: str, path: str, make: Callable[[], T], *more: Hashable) -> T:
        """What is made of the content of a file, and of `more`."""
        if self._kept is None:
            return make()
        return self._kept.once((kind, path, self.content(path), *more), make)

    def _note(self, problem: SourceProblem) -> None:
        if all(known.path != problem.path for known in self.problems):
            insort(self.problems, problem, key=lambda one: one.path)


def _read(data: bytes, path: str) -> Source | SourceProblem:
    try:
        return read_source(data, path)
    except SourceProblem as problem:
        return problem
