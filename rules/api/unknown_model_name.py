"""AOTI212."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, VersionSet, catches, judge, weaker
from aoti_lint.rule.events import CompileEvent, LoadEvent, PackEvent
from aoti_lint.rule.links import archive_of, link_between, writers_of
from aoti_lint.rule.values import NONE, Const, Loaded, Package, Pairs, Tup, Value, leaves

_WHOLE = "torch._inductor.aoti_compile_and_package"
_DEVICE_BEFORE = VersionSet.since("2.6")
_Names = frozenset[str]


class UnknownModelName(Rule):
    """A package is asked for a model that it does not hold.

    What happens:
        `RuntimeError: Failed to find a generated cpp file or so file for model 'model' in the zip archive. Available
        models: head …`

    Why:
        `package_aoti` with a dict gives the models their names. `aoti_load_package`, and `load_package` without a name,
        ask for one that is called `model`. The second argument of `load_package` was the device in torch 2.5, and is
        the name since.

    Bad:
        import torch
        from torch._inductor.package import load_package, package_aoti

        x = torch.randn(8, 10)
        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (x,))
        files = torch._inductor.aot_compile(program.module(), (x,), options={"aot_inductor.package": True})
        package_aoti("models.pt2", {"head": files})
        run = load_package("models.pt2")  # <- AOTI212

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
        Run on torch 2.13. The signatures of `load_package` in the releases 2.5.1 to 2.15.0.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI212"
    name = "unknown-model-name"
    outcome = Outcome.RAISES_AT_LOAD

    def on_load(self, facts: Facts, event: LoadEvent) -> Iterator[Diagnostic]:
        loaded = event.loaded
        if not isinstance(loaded, Loaded) or loaded.model is None:
            return
        failing = event.versions if loaded.device is None else event.versions & _DEVICE_BEFORE
        if not failing or catches(event.caught | event.expected, "RuntimeError"):
            return
        held = _held(facts, event, loaded)
        verdict = None if held is None else judge([loaded.model], event.path, partial(_is_other, held[0]), failing)
        if held is None or verdict is None or not isinstance(asked := verdict[1][0], Const):
            return
        names, confidence, related, notes = held
        listed = ", ".join(sorted(names))
        yield self.found(
            facts,
            event,
            weaker(confidence, verdict[0]),
            f"the package holds {listed or 'no compiled model'}, and is asked for {asked.value}: loading raises",
            failing=failing,
            label=f"asks for {asked.value}",
            related=related,
            notes=notes,
            help=_help(loaded, sorted(names)),
            symptom="load-error",
        )


def _is_other(names: _Names, values: list[Value]) -> bool | None:
    value = values[0]
    return isinstance(value, Const) and isinstance(value.value, str) and value.value not in names


def _help(loaded: Loaded, names: list[str]) -> str:
    if not names:
        return ""
    if loaded.device is not None:
        return "leave out the device: since torch 2.6 the second argument is the name of the model"
    return f'torch._inductor.package.load_package(path, "{names[0]}") asks for {names[0]}'


_Held = tuple[_Names, Confidence, tuple[Related, ...], tuple[str, ...]]


def _held(facts: Facts, event: LoadEvent, loaded: Loaded) -> _Held | None:
    """The models that the loaded file may hold, all together, and how sure that is; None if that is not known."""
    found = list(_written(facts, event, loaded))
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


def _written(facts: Facts, event: LoadEvent, loaded: Loaded) -> Iterator[tuple[_Names | None, Confidence, Related]]:
    """What is written to the loaded file: the names of its models (None: not known), how sure, and where."""
    for pack in writers_of(facts, PackEvent, loaded.file):
        link = link_between(loaded.file, event, pack.file, pack)
        if link is not None:
            for _, given in leaves(pack.models, pack.path):
                yield _names(given), link, Related(pack.span, "packaged here")
    for compiled in writers_of(facts, CompileEvent, loaded.file):
        package = compiled.package
        if isinstance(package, Package) and package.api == _WHOLE:
            link = link_between(loaded.file, event, package.file, compiled)
            if link is not None:
                yield frozenset({"model"}), link, Related(package.span, "packaged here, as model")


def _names(given: Value) -> _Names | None:
    """The names that packaging gives to what it is given."""
    if isinstance(given, Pairs):
        keys = [key.value for key, _ in given.pairs if isinstance(key, Const)]
        names = frozenset(key for key in keys if isinstance(key, str))
        return names if len(keys) == len(given.pairs) else None
    if isinstance(given, Tup | Package):
        return frozenset({"model"})
    return frozenset() if given == NONE else None
