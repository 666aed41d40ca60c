"""AOTI212."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Related,
    Rule,
    Span,
    VersionSet,
    catches,
    judge,
    weaker,
)
from aoti_lint.rule.events import CompileEvent, HostLoad, LoadEvent, PackEvent
from aoti_lint.rule.links import archive_of, beside, link_between, writers_of
from aoti_lint.rule.values import NONE, Const, Loaded, Package, Pairs, Tup, Value, leaves

_WHOLE = "torch._inductor.aoti_compile_and_package"
_DEVICE_BEFORE = VersionSet.since("2.6")
_NO_DEVICE = "leave out the device: since torch 2.6 the second argument is the name of the model"
_Names = frozenset[str]


class UnknownModelName(Rule):
    """A package is asked for a model that it does not hold.

    What happens:
        `RuntimeError: Failed to find a generated cpp file or so file for model 'model' in the zip archive. Available
        models: head …`

    Why:
        `package_aoti` with a dict gives the models their names. `aoti_load_package`, and `load_package` without a name,
        ask for one that is called `model`, and so does `AOTIModelPackageLoader` in C++. The second argument of
        `load_package` was the device in torch 2.5, and is the name since.

    Bad:
        import torch
        from torch._inductor.package import load_package, package_aoti

        x = torch.randn(8, 10)
        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (x,))
        files = torch._inductor.aot_compile(program.module(), (x,), options={"aot_inductor.package": True})
        package_aoti("models.pt2", {"head": files})
        run = load_package("models.pt2")  # <- AOTI212

    Bad:
        # file: build.py
        import torch
        from torch._inductor.package import package_aoti

        x = torch.randn(8, 10)
        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (x,))
        files = torch._inductor.aot_compile(program.module(), (x,), options={"aot_inductor.package": True})
        package_aoti("models.pt2", {"head": files})

        # file: host.cpp
        #include <torch/csrc/inductor/aoti_package/model_package_loader.h>

        class Host {
         public:
          explicit Host(const std::string& folder) : loader_(folder + "/models.pt2") {}  // <- AOTI212

         private:
          torch::inductor::AOTIModelPackageLoader loader_;
        };

    Good:
        import torch
        from torch._inductor.package import load_package, package_aoti

        x = torch.randn(8, 10)
        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (x,))
        files = torch._inductor.aot_compile(program.module(), (x,), options={"aot_inductor.package": True})
        package_aoti("models.pt2", {"head": files})
        run = load_package("models.pt2", "head")

    How to debug:
        `aoti-lint inspect models.pt2` lists the models of a package.

    Sources:
        Run on torch 2.13. The signatures of `load_package` in the releases 2.5.1 to 2.15.0; for C++
        `torch/csrc/inductor/aoti_package/model_package_loader.h` of release 2.13.0.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI212"
    name = "unknown-model-name"
    outcome = Outcome.RAISES_AT_LOAD
    doubt = "something else may have written the file"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in facts.of(LoadEvent):
            loaded = event.loaded
            if not isinstance(loaded, Loaded) or loaded.model is None:
                continue
            failing = event.versions if loaded.device is None else event.versions & _DEVICE_BEFORE
            if failing and not catches(event.caught | event.expected, "RuntimeError"):
                held = _held(facts, event, loaded)
                instead = "" if loaded.device is None else _NO_DEVICE
                yield from self._check(facts, event, held, loaded.model, failing, instead)
        for host in facts.of(HostLoad):
            if host.model is not None and host.span.path in facts.project.all_natives:
                held = _held_by(facts, posixpath.basename(host.file))
                yield from self._check(facts, host, held, Const(host.model), host.versions, "")

    def _check(
        self,
        facts: Facts,
        event: LoadEvent | HostLoad,
        held: _Held | None,
        model: Value,
        failing: VersionSet,
        instead: str,
    ) -> Iterator[Diagnostic]:
        """One finding where a package is loaded, in Python or C++."""
        verdict = None if held is None else judge([model], event.path, partial(_is_other, held[0]), failing)
        if held is None or verdict is None or not isinstance(asked := verdict[1][0], Const):
            return
        names, confidence, related, notes = held
        listed = sorted(names)
        call = "AOTIModelPackageLoader" if isinstance(event, HostLoad) else "torch._inductor.package.load_package"
        yield self.found(
            facts,
            event,
            weaker(confidence, verdict[0]),
            f"the package holds {', '.join(listed) or 'no compiled model'}, and is asked for {asked.value}: "
            "loading raises",
            failing=failing,
            label=f"asks for {asked.value}",
            related=related,
            notes=notes,
            help=instead or (f'{call}(path, "{listed[0]}") asks for {listed[0]}' if listed else ""),
            symptom="load-error",
        )


def _is_other(names: _Names, values: list[Value]) -> bool | None:
    value = values[0]
    return isinstance(value, Const) and isinstance(value.value, str) and value.value not in names


_Held = tuple[_Names, Confidence, tuple[Related, ...], tuple[str, ...]]


def _held(facts: Facts, event: LoadEvent, loaded: Loaded) -> _Held | None:
    """The models that the loaded file may hold, all together, and how sure that is; None if that is not known."""
    found = [one[1:] for one in _nearest([*_written(facts, event, loaded)])]
    if any(names is None for names, _, _ in found):
        return None
    link = archive_of(facts, loaded.file, event)
    if link is not None:
        data = link.archive.data
        if data.problems or not data.packages:
            return None
        inside = frozenset(package.name for package in data.packages)
        if not all(names is not None and names <= inside for names, _, _ in found):
            return None
        return inside, link.confidence, (Related(link.archive.span, "the file"),), link.notes
    if not found:
        return None
    together = frozenset(name for names, _, _ in found for name in names or ())
    confidence = weaker(*(sure for _, sure, _ in found))
    return together, confidence, (found[0][2],), ()


_Written = tuple[bool, _Names | None, Confidence, Related]
"""Whether a script beside the one that loads writes something; the names of its models (None: not known), how sure it
is that it is the file, and where it is written."""


def _nearest(found: list[_Written]) -> list[_Written]:
    """What is written beside, where anything is: then that is meant."""
    return [one for one in found if one[0]] or found


def _written(facts: Facts, event: LoadEvent, loaded: Loaded) -> Iterator[_Written]:
    """What is written to the loaded file."""
    for pack in writers_of(facts, PackEvent, loaded.file):
        link = link_between(loaded.file, event, pack.file, pack)
        if link is not None:
            for _, given in leaves(pack.models, pack.path):
                yield beside(event, pack), _names(given), link, Related(pack.span, "packaged here")
    for compiled in writers_of(facts, CompileEvent, loaded.file):
        package = compiled.package
        if isinstance(package, Package) and package.api == _WHOLE:
            link = link_between(loaded.file, event, package.file, compiled)
            if link is not None:
                place = Related(package.span, "packaged here, as model")
                yield beside(event, compiled), frozenset({"model"}), link, place


def _held_by(facts: Facts, name: str) -> _Held | None:
    """The models that a file of this name may hold, whoever writes one, as far as that is known."""
    found: list[tuple[_Names | None, Span]] = []
    for pack in facts.of(PackEvent):
        if pack.file.key[-1:] == (name,):
            found += [(_names(given), pack.span) for _, given in leaves(pack.models, pack.path)]
    for compiled in facts.of(CompileEvent):
        for _, package in leaves(compiled.package, compiled.path):
            if isinstance(package, Package) and package.api == _WHOLE and package.file.key[-1:] == (name,):
                found.append((frozenset({"model"}), package.span))
    for archive in facts.archives:
        if posixpath.basename(archive.path) == name:
            known = bool(archive.data.packages) and not archive.data.problems
            inside = frozenset(package.name for package in archive.data.packages)
            found.append((inside if known else None, archive.span))
    if not found or any(names is None for names, _ in found):
        return None
    together = frozenset(one for names, _ in found for one in names or ())
    # One whose file is not all known may write this one.
    unsure = any(not pack.file.key or "<" in pack.file.key[-1] for pack in facts.of(PackEvent))
    confidence = Confidence.POSSIBLE if unsure else Confidence.LIKELY
    return together, confidence, (Related(found[0][1], "packaged here"),), ()


def _names(given: Value) -> _Names | None:
    """The names that packaging gives to what it is given."""
    if isinstance(given, Pairs):
        keys = [key.value for key, _ in given.pairs if isinstance(key, Const)]
        names = frozenset(key for key in keys if isinstance(key, str))
        return names if len(keys) == len(given.pairs) else None
    if isinstance(given, Tup | Package):
        return frozenset({"model"})
    return frozenset() if given == NONE else None
