"""Which files speak of exporting and the like, themselves or through what they import from the project.

A file whose only needles stand in comments and strings does not matter; a script without any needle does, when it uses
a helper of the project that exports or loads. Both are decided here by what Python compiles the file to, ten times
cheaper than to analyse it. When a file cannot be compiled here, its needles decide.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

from aoti_lint.files.cache import content_hash
from aoti_lint.ir.stack import with_deep_stack
from aoti_lint.lazily.regex import regex
from aoti_lint.source.interest import needles
from aoti_lint.source.interest.imported import IMPORT, MAX_HELPERS, MEMBER, OP, pairs
from aoti_lint.text.comments import blanked, blanked_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol, TypeVar

    from aoti_lint.source.interest.examine import Examined

    T = TypeVar("T")

    class Once(Protocol):
        """Makes something of the content of a file, and of more, once for all runs."""

        def __call__(self, kind: str, path: str, make: Callable[[], T], *more: Hashable) -> T: ...


Judged = tuple[bool, dict[str, int]]
"""Whether a file has to be analysed, and its names that make a file importing them interesting."""
Look = tuple[dict[str, int], dict[str, int], Judged]
"""The names that a file was given from outside when it was judged, imported and as arguments; and what it was then."""
_TEST = regex(r"(?:.*/)?(?:test_[^/]*|[^/]*_test)\.py")
Imports = list["tuple[str, int, list[tuple[str, str | None]] | None, bool]"]
"""The modules that are imported, with their dots; the names out of each with their aliases, None for the module itself;
and whether the statement begins its line: then whoever runs the file imports it."""
MAX_ROUNDS = 3
"""How often the files of an import cycle are judged anew."""


class Interest:
    """Judges the files of one project, each once.

    `read` gives the Python text of a file as bytes or as a string, or None; `resolve` is `ModuleIndex.resolve`; `once`
    makes something of a file where it is not known from before; `content` is the same for files of one content.
    """

    def __init__(
        self,
        read: Callable[[str], bytes | str | None],
        resolve: Callable[[str, int, str], str | None],
        once: Once = lambda _kind, _path, make, *_: make(),
        content: Callable[[str], str | None] = lambda path: path,
    ) -> None:
        self._read = read
        self._resolve = resolve
        self._once, self._content = once, content
        self._judged: dict[str, Judged] = {}
        self._looks: dict[str, list[Look]] = {}
        """How each file was judged: in an import cycle, several times."""
        self._open: list[str] = []
        """The files that are being judged, each because the one before it imports it."""
        self._doubted: dict[str, None] = {}
        """Files that were judged while one they import was being judged itself."""
        self._examined: dict[tuple[object, ...], Examined | None] = {}
        """What files speak of, by their content and the names they are given: of copies, one is examined."""
        self._taken: Mapping[str, Any] = {}
        """What was taken over, as it was told."""
        self._functions: dict[str, dict[str, bool]] = {}
        """Of the files Python could compile, the functions by whether they lead to what rules speak of."""

    def interesting(self, path: str) -> bool:
        """Whether the file has to be analysed."""
        return self._judge(path)[0]

    def symbols(self, path: str) -> dict[str, int]:
        """The top-level names of the file that make a file importing them interesting.

        The number of each says through how many other files' functions it leads to what matters.
        """
        return {name: near for name, near in self._judge(path)[1].items() if near < MAX_HELPERS or near >= OP}

    def imports(self, path: str) -> Imports | None:
        """What a file imports, as its text says it; None where it cannot be read."""
        seen = self._seen(path)
        return None if seen is None else seen[1]

    def leads(self, path: str, qualname: str) -> bool:
        """Whether a function or method leads to what rules speak of, as far as the names in it tell.

        A function inside another one counts with that.
        """
        self._judge(path)
        functions = self._functions_of(path)
        if functions is None:
            return True
        while qualname not in functions:
            qualname, _, last = qualname.rpartition(".")
            if not last:
                return False
        return functions[qualname]

    def doubts(self, path: str) -> bool:
        """Whether Python did not compile a script that was judged; cells of a notebook are compiled each for itself."""
        return path.endswith(".py") and path in self._judged and self._functions_of(path) is None

    def told(self) -> dict[str, Any]:
        """How the files were judged, of JSON's types, for `take`."""
        told: dict[str, Any] = {}
        for path, looks in self._looks.items():
            seen = self._taken[path][1] if path in self._taken else self._hash_of_seen(path)
            told[path] = [
                self._content(path),
                seen,
                [[imported, given, [*judged]] for imported, given, judged in looks],
            ]
        return told

    def take(self, told: Mapping[str, Any]) -> bool:
        """Take over how an earlier process judged files, which `told` it, where imports resolve as they did then.

        Files may hold something else now; where that is judged as it was, whoever imports them is. False where one is
        not: then nothing is taken over.
        """
        looks = {path: [(a, b, (c[0], c[1])) for a, b, c in those] for path, (_, _, those) in told.items()}
        for path, (content, seen, _) in told.items():
            if self._content(path) != content and not self._is_judged_alike(path, seen, looks[path]):
                self._functions.clear()
                return False
        self._looks, self._taken = looks, told
        self._judged = {path: those[-1][2] for path, those in looks.items()}
        return True

    def _is_judged_alike(self, path: str, seen: str, looks: list[Look]) -> bool:
        if self._hash_of_seen(path) != seen:
            return False
        return all(self._weigh(path, imported, given) == judged for imported, given, judged in looks)

    def _hash_of_seen(self, path: str) -> str:
        import json  # a run that remembers nothing does without

        return content_hash(json.dumps(self._seen(path)).encode(), 10)

    def _functions_of(self, path: str) -> dict[str, bool] | None:
        """The functions of a file that was judged, as `_functions` has them."""
        if path not in self._functions and path in self._looks:
            self._weigh(path, *self._looks[path][-1][:2])
        return self._functions.get(path)

    def _judge(self, path: str) -> Judged:
        judged = self._judged.get(path)
        if judged is not None:
            return judged
        if self._open:
            return self._start(path)
        try:
            return self._finish(path)
        except RecursionError:
            # Hundreds of files, each importing the next.
            for half_done in self._open:
                del self._judged[half_done]
            self._open.clear()
            return with_deep_stack(lambda: self._finish(path))

    def _finish(self, path: str) -> Judged:
        """Judge a file, and once more those in import cycles that did not matter by what was known of the cycle."""
        self._start(path)
        for _ in range(MAX_ROUNDS):
            doubted, self._doubted = [one for one in self._doubted if not self._judged[one][1]], {}
            before = {one: self._judged[one] for one in doubted}
            for one in doubted:
                self._start(one)
            if all(self._judged[one] == before[one] for one in doubted):
                break
        self._doubted = {}
        return self._judged[path]

    def _start(self, path: str) -> Judged:
        # What an import cycle asks for in the meantime.
        self._judged[path] = False, {}
        self._open.append(path)
        judged = self._judged[path] = self._look(path)
        self._open.pop()
        return judged

    def _look(self, path: str) -> Judged:
        seen = self._seen(path)
        imported = {} if seen is None else self._imported(path, seen[1])
        if _TEST.fullmatch(path):
            # A library of ops tests them all, and runs its tests.
            imported = {name: near for name, near in imported.items() if near < OP}
        given = {} if seen is None else self._given(path)
        judged = self._weigh(path, imported, given)
        self._looks.setdefault(path, []).append((imported, given, judged))
        return judged

    def _weigh(self, path: str, imported: dict[str, int], given: dict[str, int]) -> Judged:
        """What a file is that is given these names."""
        own = (self._seen(path) or (False,))[0]
        if not own and not imported and not given:
            self._functions[path] = {}
            return False, {}
        # Not needed for a run over files that do not matter, which must cost next to nothing.
        from aoti_lint.source.interest.examine import Examined

        # Names come out of sets, in another order in each process.
        asked = tuple(sorted(imported.items())), tuple(sorted(given.items()))
        key = self._content(path), *asked
        if key not in self._examined:
            told = self._once("examined", path, lambda: self._examine(path, imported, given), *asked)
            self._examined[key] = None if told is None else Examined(*told)
        examined = self._examined[key]
        if examined is None:
            self._functions.pop(path, None)
            return own, imported
        self._functions[path] = examined.functions
        return examined.interesting, examined.symbols

    def _text(self, path: str) -> tuple[bytes | str, bytes] | None:
        """What Python compiles, and the bytes of that without comments that stand alone."""
        text = self._read(path)
        if text is None:
            return None
        if isinstance(text, bytes):
            return text, blanked_bytes(text)
        return text, blanked(text).encode("utf-8", "surrogatepass")

    def _seen(self, path: str) -> tuple[bool, Imports] | None:
        """Whether a file names what rules speak of, and what it imports."""

        def look() -> tuple[bool, Imports] | None:
            found = self._text(path)
            return None if found is None else (needles.interesting(found[1]), _imports(found[1]))

        return self._once("seen", path, look)

    def _examine(self, path: str, imported: dict[str, int], given: dict[str, int]) -> list[Any] | None:
        """What a file speaks of, of JSON's types."""
        from aoti_lint.source.interest.examine import examine

        found = self._text(path)
        examined = None if found is None else examine(*found, imported, given)
        return None if examined is None else [examined.interesting, examined.symbols, examined.functions]

    def _given(self, path: str) -> dict[str, int]:
        """Names that functions of a test get as arguments from the folders around it, of those that matter."""
        if not _TEST.fullmatch(path):
            return {}
        found: dict[str, int] = {}
        for level in range(path.count("/") + 1, 0, -1):
            found |= self._symbols_of("conftest", level, path)
        return found

    def _imported(self, path: str, imports: Imports) -> dict[str, int]:
        """Names the file imports from the project, or reaches in an imported module, that make it interesting."""
        names: dict[str, int] = {}
        for module, level, given, _ in imports:
            symbols = self._symbols_of(module, level, path)
            if given is None:
                names.update(symbols)
            for name, alias in given or ():
                if name == "*":
                    names.update(symbols)
                elif name in symbols:
                    names[alias or name] = symbols[name]
                    has = name + MEMBER
                    names.update(
                        ((alias or name) + one[len(name) :], near)
                        for one, near in symbols.items()
                        if one.startswith(has)
                    )
                else:
                    names.update(self._symbols_of(f"{module}.{name}" if module else name, level, path))
        return names

    def _symbols_of(self, dotted: str, level: int, path: str) -> dict[str, int]:
        if dotted.partition(".")[0] == "torch" and not level:
            return {}
        target = self._resolve(dotted, level, path)
        if target in self._open and target != path:
            self._doubted.update(dict.fromkeys(self._open[self._open.index(target) + 1 :]))
        return {} if target is None or target == path else self.symbols(target)


def _imports(data: bytes) -> Imports:
    """What a file imports."""
    made: Imports = []
    for found in IMPORT.finditer(data):
        begins = found[0][:1] in b"fi"
        if found["modules"] is not None:
            made += [(dotted, 0, None, begins) for dotted, _ in pairs(found["modules"])]
        else:
            module, names = found["module"].decode("utf-8", "ignore"), list(pairs(found["names"]))
            made.append((module, len(found["dots"]), names, begins))
    return made
