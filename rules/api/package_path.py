"""AOTI207."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import SUPPORTED, Confidence, Diagnostic, Facts, Outcome, Rule, Span, VersionSet, judge, usual
from aoti_lint.rule.events import ApiCall, CompileEvent
from aoti_lint.rule.values import NONE, Const, Package, PathValue, Text, Value

from ._calls import calls, short

SUFFIX = ".pt2"
_TAKES = {
    "torch._inductor.aoti_compile_and_package": (None, "package_path", SUPPORTED, " before it compiles"),
    "torch._inductor.package.package_aoti": (0, "archive_file", VersionSet.between("2.6", "2.7"), ""),
}
"""Functions that want a path ending in .pt2: position and name of the argument, the releases, and when they raise."""


class PackagePath(Rule):
    """A package is to be written to a file that does not end in `.pt2`.

    What happens:
        `AssertionError: Expect package path to be a file ending in .pt2, is None, or is a buffer. Instead got
        model.so`, before anything is compiled.

    Why:
        `aoti_compile_and_package` writes a `.pt2` archive, and refuses other names. A `.so` is what
        `torch._inductor.aot_compile` makes. `package_aoti` refuses other names in torch 2.6 and 2.7 and takes them
        later.

    Bad:
        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        torch._inductor.aoti_compile_and_package(program, package_path="model.so")  # <- AOTI207

    Good:
        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")

    How to debug:
        The message ends with the path as torch saw it. `.PT2` is refused too.

    Sources:
        `torch/_inductor/__init__.py`, line 140, of release 2.13.0, the same from 2.6.0 to 2.15.0;
        `torch/_inductor/package/package.py` of 2.6.0 and 2.7.1 for `package_aoti`; run on torch 2.13.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI207"
    name = "package-path"
    outcome = Outcome.RAISES_AT_COMPILE

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for function, (index, name, versions, when) in _TAKES.items():
            for event in calls(facts, function, raising=("AssertionError",)):
                given, failing = event.arg(index, name), event.versions & versions
                if given is None or not failing:
                    continue
                verdict = judge([given], event.path, has_other_suffix, failing)
                usual = _by_default(facts, event) if verdict is None else None
                if verdict is None and (usual is None or not has_other_suffix([usual])):
                    continue
                confidence, value = (Confidence.LIKELY, usual) if verdict is None else (verdict[0], verdict[1][0])
                ending = _ending(value or NONE)
                yield self.found(
                    facts,
                    event,
                    confidence,
                    f"{short(function)} writes a file that ends in .pt2, and this one {ending}: it raises{when}",
                    span=event.place(index, name),
                    failing=failing,
                    label=ending,
                    help='name it "….pt2"',
                    doubt="where the options keep their values" if usual is not None else "",
                )


def _place(event: CompileEvent) -> tuple[tuple[Span, str]]:
    return ((event.span, event.root),)


def _by_default(facts: Facts, event: ApiCall) -> Value | None:
    """The name of the file, with every option at its default; None where that is not known, or never comes there."""
    if not all(usual(cond) == answer for cond, answer in event.path.items() if cond.kind != "version"):
        return None
    compiled = facts.grouped(CompileEvent, _place).get((event.span, event.root), ())
    names = {one.package.file.usual[-1:] for one in compiled if isinstance(one.package, Package)}
    name = "".join(names.pop()) if len(names) == 1 else ""
    return Const(name) if name and "<" not in name else None


def _text(value: Value) -> Value:
    return value.text if isinstance(value, PathValue) else value


def has_other_suffix(values: list[Value]) -> bool | None:
    """Whether a path surely does not end in `.pt2`; None where its end is not known."""
    last = _text(values[0])
    whole = True
    if isinstance(last, Text):
        last, whole = last.parts[-1], False
    if not isinstance(last, Const) or not isinstance(last.value, str):
        return None
    text = last.value
    if not whole and len(text) < len(SUFFIX):
        return None if SUFFIX.endswith(text) else True
    return not text.endswith(SUFFIX)


def _ending(value: Value) -> str:
    """How a message says what a path ends in."""
    text = _text(value)
    last = text.parts[-1] if isinstance(text, Text) else text
    name = str(last.value).rpartition("/")[2] if isinstance(last, Const) else ""
    _, dot, suffix = name.rpartition(".")
    return f"ends in .{suffix}" if dot else "has no suffix" if name else "is a folder"
