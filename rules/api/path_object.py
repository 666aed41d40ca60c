"""AOTI208."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import SUPPORTED, Diagnostic, Facts, Outcome, Rule, VersionSet, judge
from aoti_lint.rule.values import PathValue, Value

from ._calls import calls
from .package_path import has_other_suffix

_REFUSED = VersionSet(["2.6"])
_FAILING = SUPPORTED - VersionSet(["2.7"])


class PathObject(Rule):
    """`package_path` of `aoti_compile_and_package` is a `pathlib.Path`.

    What happens:
        From torch 2.8 on it raises an empty `AssertionError` at the very end, after the whole compile and after the
        package has been written (torch 2.14 says `expected res == package_path, got model.pt2 != model.pt2`). Torch
        2.6 raises before it compiles: `AssertionError: Expect package path to be a file ending in .pt2, …`.

    Why:
        The path is accepted, written to as text, and that text is then compared with the path object. Torch 2.7 is the
        only release in which it works.

    Bad:
        from pathlib import Path

        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        torch._inductor.aoti_compile_and_package(program, package_path=Path("model.pt2"))  # <- AOTI208

    Good:
        from pathlib import Path

        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        torch._inductor.aoti_compile_and_package(program, package_path=str(Path("model.pt2")))

    How to debug:
        The traceback ends in `assert res == package_path`. The file is complete and can be loaded.

    Sources:
        `torch/_inductor/__init__.py`, line 214, of release 2.13.0, the same in all releases from 2.8.0; 2.6.0, line
        110; 2.7.1, where `package_aoti` gives the path back as it was. Run on torch 2.13.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI208"
    name = "path-object"
    outcome = Outcome.RAISES_AT_COMPILE

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        for event in calls(facts, "torch._inductor.aoti_compile_and_package", raising=("AssertionError",)):
            given, failing = event.arg(None, "package_path"), event.versions & _FAILING
            verdict = None if given is None or not failing else judge([given], event.path, _is_path_object, failing)
            if verdict is None:
                continue
            when = "before the compile" if failing <= _REFUSED else "after the whole compile"
            yield self.found(
                facts,
                event,
                verdict,
                f"package_path is a pathlib.Path: aoti_compile_and_package raises {when}",
                span=event.place(None, "package_path"),
                failing=failing,
                label="a pathlib.Path",
                help="make it a string: str(…)",
            )


def _is_path_object(values: list[Value]) -> bool | None:
    """A path with another suffix than `.pt2` is refused for that: AOTI207."""
    return isinstance(values[0], PathValue) and not has_other_suffix(values)
