"""AOTI211."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from aoti_lint.rule import Diagnostic, Facts, Outcome, Related, Rule, VersionSet, judge
from aoti_lint.rule.events import ApiCall, ConfigWrite
from aoti_lint.rule.values import FALSE, NONE, Choice, Package, Pairs, Value, leaves

from ..package._imports import in_its_process
from ._calls import calls

_KEY = "aot_inductor.package"
_COMPILES = ("torch._inductor.aot_compile", "torch._export.aot_compile")
_TAKES = {
    "torch._inductor.package.package_aoti": (1, "aoti_files"),
    "torch.export.pt2_archive._package.package_pt2": (None, "aoti_files"),
}
_SINCE = VersionSet.since("2.6")


class NotPackageableFiles(Rule):
    """What is to be packaged is one path, not the list of files that packaging takes.

    What happens:
        `package_aoti` raises, for a dict of models `AssertionError: / is not a valid file path` (the path is taken for
        a list of its letters), for one model, since torch 2.11, `AssertionError: Expected aoti_files to be a dict, but
        got <class 'str'>`.

    Why:
        `aot_compile` gives the path of a `.so`, for `aot_load`. Only with `options={"aot_inductor.package": True}` it
        gives the list of files that go into a package.

    Bad:
        import torch
        from torch._inductor.package import package_aoti

        x = torch.randn(8, 10)
        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (x,))
        files = torch._inductor.aot_compile(program.module(), (x,))
        package_aoti("models.pt2", {"head": files})  # <- AOTI211

    Good:
        import torch
        from torch._inductor.package import package_aoti

        x = torch.randn(8, 10)
        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (x,))
        files = torch._inductor.aot_compile(program.module(), (x,), options={"aot_inductor.package": True})
        package_aoti("models.pt2", {"head": files})

    How to debug:
        `print(type(files))`: it must be a list. One model is simpler compiled with `aoti_compile_and_package`.

    Sources:
        `torch/export/pt2_archive/_package.py`, lines 163 and 267, of release 2.13.0; `torch/_inductor/package/
        package.py`, line 60, of 2.7.1. Run on torch 2.13.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI211"
    name = "not-packageable-files"
    outcome = Outcome.RAISES

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        written = [write for write in facts.of(ConfigWrite) if write.key == _KEY and not write.api]
        plain = _libraries(facts)
        for function, (index, name) in _TAKES.items():
            for event in calls(facts, function, raising=("AssertionError",)):
                given, failing = event.arg(index, name), event.versions & _SINCE
                if given is None or not failing or any(in_its_process(facts, write, event) for write in written):
                    continue
                verdict = judge([given], event.path, partial(_is_path, plain), failing)
                if verdict is None:
                    continue
                confidence, (value,) = verdict
                package = next(p for p in _packages(value) if p in plain)
                yield self.found(
                    facts,
                    event,
                    confidence,
                    f"{function.rpartition('.')[2]} takes the list of files of a model and is given one path: "
                    "it raises",
                    span=event.place(index, name),
                    failing=failing,
                    label="a path, not a list of files",
                    related=(Related(package.span, "compiled here, without aot_inductor.package"),),
                    help='compile with options={"aot_inductor.package": True}',
                )


def _packages(value: Value) -> list[Package]:
    """What stands where a list of files is wanted."""
    items = [item for _, item in value.pairs] if isinstance(value, Pairs) else [value]
    return [item for item in items if isinstance(item, Package)]


def _is_path(plain: set[Package], values: list[Value]) -> bool | None:
    return any(package in plain for package in _packages(values[0]))


def _libraries(facts: Facts) -> set[Package]:
    """What `aot_compile` gives as a path, as all calls at its place say."""
    settled: dict[object, bool] = {}
    for event in calls(facts, *_COMPILES):
        settled[event.span] = settled.get(event.span, True) and _is_off(event)
    return {
        leaf
        for function in _TAKES
        for event in calls(facts, function)
        for given in (*event.args, *event.kwargs.values())
        for _, value in leaves(given, event.path)
        for leaf in _packages(value)
        if leaf.api in _COMPILES and settled.get(leaf.span, False)
    }


def _is_off(event: ApiCall) -> bool:
    """Whether a compile surely does not ask for files to package."""
    options = event.arg(None, "options") or NONE
    if event.open or isinstance(options, Choice):
        return False
    if isinstance(options, Pairs):
        written = {getattr(key, "value", None): value for key, value in options.pairs}
        return None not in written and written.get(_KEY, FALSE) in (FALSE, NONE)
    return options == NONE
