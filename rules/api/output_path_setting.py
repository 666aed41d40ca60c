"""AOTI210."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, VersionSet, catches, judge
from aoti_lint.rule.events import ConfigWrite
from aoti_lint.rule.values import Const, PathValue, Text, Value

from .package_path import has_other_suffix

_KEY = "aot_inductor.output_path"
_COMPILE = "torch._inductor.aoti_compile_and_package"
_LIBRARY = ("torch._inductor.aot_compile", "torch._export.aot_compile")
_SINCE = VersionSet.since("2.6")


class OutputPathSetting(Rule):
    """`aot_inductor.output_path` is given to a compile that does not take it, or not so.

    What happens:
        In the `inductor_configs` of `aoti_compile_and_package` it raises `RuntimeError: Please pass in a package path
        to aot_inductor_compile() instead of setting the aot_inductor.output_path config.` In the `options` of
        `aot_compile` a path that ends in `.pt2` raises `AssertionError: The output path for aot_compile should not have
        an extension with .pt2 …`, and a `pathlib.Path` raises `AttributeError: 'PosixPath' object has no attribute
        'endswith'`.

    Why:
        The setting names the `.so` of `aot_compile`. A package has a path of its own, `package_path`.

    Bad:
        import torch

        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (torch.randn(8, 10),))
        torch._inductor.aoti_compile_and_package(
            program,
            package_path="model.pt2",
            inductor_configs={"aot_inductor.output_path": "model.so"},  # <- AOTI210
        )

    Bad:
        import torch

        x = torch.randn(8, 10)
        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (x,))
        options = {"aot_inductor.output_path": "model.pt2"}
        torch._inductor.aot_compile(program.module(), (x,), options=options)  # <- AOTI210

    Good:
        import torch

        x = torch.randn(8, 10)
        program = torch.export.export(torch.nn.Linear(10, 2).eval(), (x,))
        torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
        torch._inductor.aot_compile(program.module(), (x,), options={"aot_inductor.output_path": "model.so"})

    How to debug:
        The paths are judged before anything is compiled: the call fails at once.

    Sources:
        `torch/_inductor/__init__.py`, line 148, and `torch/_inductor/compile_fx.py`, line 2075, of release 2.13.0; the
        same in all releases from 2.6.0 to 2.15.0. Run on torch 2.13.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor.html
    """

    code = "AOTI210"
    name = "output-path-setting"
    outcome = Outcome.RAISES_AT_COMPILE

    def on_config_write(self, facts: Facts, event: ConfigWrite) -> Iterator[Diagnostic]:
        failing = event.versions & _SINCE
        if event.key != _KEY or not failing:
            return
        caught = event.caught | event.expected
        if event.api == _COMPILE and not catches(caught, "RuntimeError"):
            verdict = judge([event.value], event.path, _is_path, failing)
            what, better = "aoti_compile_and_package refuses aot_inductor.output_path", "give package_path= instead"
        elif event.api in _LIBRARY and not catches(caught, "AssertionError", "AttributeError"):
            verdict = judge([event.value], event.path, _is_no_library)
            what, better = self._wrong(verdict)
        else:
            return
        if verdict is not None:
            yield self.found(
                facts,
                event,
                verdict,
                f"{what}: the compile raises",
                failing=failing,
                label="set here",
                help=better,
            )

    @staticmethod
    def _wrong(verdict: tuple[Confidence, list[Value]] | None) -> tuple[str, str]:
        if verdict is not None and isinstance(verdict[1][0], PathValue):
            return "aot_inductor.output_path is a pathlib.Path and must be a string", "make it a string: str(…)"
        return "aot_compile writes a .so, and its aot_inductor.output_path ends in .pt2", (
            "name it .so, or write the package with aoti_compile_and_package(program, package_path=…)"
        )


def _is_path(values: list[Value]) -> bool | None:
    value = values[0]
    return isinstance(value, PathValue | Text) or (
        isinstance(value, Const) and isinstance(value.value, str) and bool(value.value)
    )


def _is_no_library(values: list[Value]) -> bool | None:
    """A path object, or a text that surely ends in `.pt2`."""
    if isinstance(values[0], PathValue):
        return True
    return _is_path(values) and has_other_suffix(values) is False
