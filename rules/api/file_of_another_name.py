"""AOTI221."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aoti_lint.rule import METER, Confidence, Diagnostic, Facts, Outcome, Related, Rule, catches
from aoti_lint.rule.events import CompileEvent, FileEvent, LoadEvent, PackEvent, SaveEvent
from aoti_lint.rule.links import link_between, written_to
from aoti_lint.rule.values import NO_FILE, FileName, Loaded, LoadedProgram

_HOLE = "…"
"""A part of a name that is not written out, as a message shows it."""
_BETWEEN = re.compile(r"[-_. ]+")
_READS = ("torch.load", "torch.jit.load", "safetensors.torch.load_file")
_Written = CompileEvent | PackEvent | SaveEvent | FileEvent
_WRITING: tuple[type[_Written], ...] = (CompileEvent, PackEvent, SaveEvent, FileEvent)


class FileOfAnotherName(Rule):
    """A program or package is loaded from a file that nothing writes, beside one of nearly the same name.

    What happens:
        The load raises: `FileNotFoundError: [Errno 2] No such file or directory: 'store/ranker-7.pt2'`; for a package
        `RuntimeError: … does not exist`.

    Why:
        The two names differ in `-`, `_`, `.`, spaces or capital letters alone, and the name that is loaded stands
        nowhere else in the project.

    Bad:
        import torch

        def store(program, day):
            torch.export.save(program, f"ranker_{day}.pt2")

        def serve(day):
            return torch.export.load(f"ranker-{day}.pt2").module()  # <- AOTI221

        store(torch.export.export(torch.nn.ReLU(), (torch.randn(2),)), "monday")
        serve("monday")

    Good:
        import torch

        def file_of(day):
            return f"ranker_{day}.pt2"

        def store(program, day):
            torch.export.save(program, file_of(day))

        def serve(day):
            return torch.export.load(file_of(day)).module()

        store(torch.export.export(torch.nn.ReLU(), (torch.randn(2),)), "monday")
        serve("monday")

    How to debug:
        List the folder: `ls store`.

    Sources:
        Run on torch 2.13 (this project's tests).
    """

    code = "AOTI221"
    name = "file-of-another-name"
    outcome = Outcome.RAISES_AT_LOAD
    doubt = "something that was not seen may write that file"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(LoadEvent):
            file = _loaded_file(event)
            if not file.key or catches(event.caught | event.expected, "FileNotFoundError", "OSError", "RuntimeError"):
                continue
            groups = [facts.grouped(kind, _names_alike).get(name, ()) for kind in _WRITING for name in _alike(file)]
            alike = sorted({other for group in groups for other in group}, key=lambda event: event.order)
            METER.spend(len(alike))
            written = [(other, _written_file(other)) for other in alike]
            if any(link_between(file, event, target, other) is not None for other, target in written):
                continue
            near = next(((other, target) for other, target in written if _is_near(file, target)), None)
            if near is None or not self._stands_alone(facts, event, file):
                continue
            other, target = near
            loaded, there = _shown(file.usual or file.key), _shown(target.usual or target.key)
            yield self.found(
                facts,
                event,
                Confidence.LIKELY,
                f"nothing here writes {loaded}; what is written is {there}: loading raises",
                label=f"loads {loaded}",
                related=(Related(other.span, f"writes {there}"),),
                help="build the name in one place, and use it for both",
                symptom="load-error",
            )

    @staticmethod
    def _stands_alone(facts: Facts, event: LoadEvent, file: FileName) -> bool:
        """Whether the name of a file stands once in the project, where it is loaded, and no such file is there."""
        folder = event.root.split("::")[0].rpartition("/")[0]
        for key in (file.key, file.usual):
            if key and any(facts.project.is_file("/".join((*base, *key))) for base in ((), (folder,)) if base != ("",)):
                return False
        # The longest part that is written out.
        word = max(_shown(file.usual or file.key).split(_HOLE), key=len).removesuffix(".pt2")
        found = facts.project.mentions(word)
        texts = [facts.project.data(path) or b"" for path in found.files]
        return found.complete and sum(text.count(word.encode()) for text in texts) <= 1


def _names_alike(event: _Written) -> set[tuple[str, ...]]:
    return set() if isinstance(event, FileEvent) and event.api in _READS else _alike(_written_file(event))


def _alike(file: FileName) -> set[tuple[str, ...]]:
    """What the names of a file have in common with those that are nearly the same."""
    return {tuple(_words(_shown(key))) for key in (file.key, file.usual) if key}


def _written_file(event: _Written) -> FileName:
    return written_to(event)[0] if isinstance(event, CompileEvent | SaveEvent) else event.file


def _loaded_file(event: LoadEvent) -> FileName:
    loaded = event.loaded
    if isinstance(loaded, LoadedProgram) or (isinstance(loaded, Loaded) and loaded.package is None):
        return loaded.file
    return NO_FILE


def _is_near(one: FileName, other: FileName) -> bool:
    """Whether two names are the same but for what stands between their words, and capital letters."""
    for first, second in ((one.key, other.key), (one.usual, other.usual)):
        if first and second and (name := _shown(first)) != (near := _shown(second)):
            words = _words(name)
            if words == _words(near) and len("".join(words)) > len("x.pt2"):
                return True
    return False


def _words(name: str) -> list[str]:
    return [part for part in _BETWEEN.split(name.casefold()) if part]


def _shown(key: tuple[str, ...]) -> str:
    """The last part of a path, with each part between `<` and `>`, which may hold others, as a hole."""
    shown, depth = "", 0
    for char in key[-1]:
        shown += _HOLE if char == "<" and depth == 0 else char if depth == 0 else ""
        depth += (char == "<") - (char == ">")
    return shown
