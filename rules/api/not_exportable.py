"""AOTI215."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, Severity, VersionSet, judge, weaker
from aoti_lint.rule.events import ApiCall, ConfigWrite
from aoti_lint.rule.torch import api
from aoti_lint.rule.values import FALSE, NONE, TRUE, Func, Obj, Value

from ._calls import CHECKED_EXPORTS, EXPORTS, ONNX, ONNX_ERROR, USER_ERROR, WORDS, calls, exports_to_onnx, kind

_NO_MODULE = ("Func", "Bound", "Partial", "Class", "Program", "LoadedProgram", "torch.jit.ScriptFunction", "Tensor",
              "dict", "str", "NoneType")  # fmt: skip
_NESTED = ("torch._dynamo.config", "error_on_nested_jit_trace")
"""The setting without which the compiled model is traced as it is."""
_NO_MODEL = ("Func", "Bound", "Class", "torch.jit.ScriptFunction", "torch.jit.ScriptModule")
"""What an export to ONNX refuses; it takes a program."""
_QUANTIZED = ("quantized model", "prepared model", "model prepared for training")
"""What `torch.ao.quantization` makes; the last of them is refused by `strict=True` and by the export to ONNX only."""
_TRACERS = {"torch.jit.trace": "func", ONNX: "model"}
"""What traces with TorchScript, the second with `dynamo=False` only, and its parameter for the model."""
_SCRIPTED_SINCE = VersionSet.since("2.5")


class NotExportable(Rule):
    """What is exported is no `nn.Module`, or a scripted one; or what TorchScript traces is compiled.

    What happens:
        For a function, a lambda, a class or a program that is exported already: `ValueError: Expected `mod` to be an
        instance of `torch.nn.Module`, got <class 'function'>.` For a ScriptModule, since torch 2.5: `ValueError:
        Exporting a ScriptModule is not supported. Maybe try converting your ScriptModule to an ExportedProgram using
        `TS2EPConverter(mod, args, kwargs).convert()` instead.` `torch.onnx.export`, which exports so since torch 2.9
        where nothing is said of `dynamo`, puts either into a `TorchExportError`. `torch.jit.trace`, and
        `torch.onnx.export` with `dynamo=False`, of what `torch.compile` gave raise `RuntimeError: Detected that you are
        using FX to torch.jit.trace a dynamo-optimized function.` A model that the quantization of modules converted
        has weights that are objects of C++: `AttributeError: __torch__.torch.classes.quantized.LinearPackedParamsBase
        … does not have a field`; the observers of one that is only prepared ask for values:
        `GuardOnDataDependentSymNode`.

    Why:
        `torch.export.export` traces the `forward` of a module, whose parameters and buffers become inputs of the
        program. The old `torch._export.aot_compile` and `torch._dynamo.export` took functions. A compiled model is no
        code that a second tracer can read; an export takes the model inside of it, `torch.jit.trace` does not.

    Bad:
        import torch

        def scale(x):
            return x * 2

        torch.export.export(scale, (torch.randn(8),))  # <- AOTI215

    Bad:
        import torch

        model = torch.jit.script(torch.nn.Linear(10, 2).eval())
        torch.export.export(model, (torch.randn(8, 10),))  # <- AOTI215

    Bad:
        import torch

        model = torch.jit.script(torch.nn.Linear(10, 2).eval())
        torch.onnx.export(model, (torch.randn(8, 10),), "linear.onnx")  # <- AOTI215

    Bad:
        import torch

        net = torch.nn.Sequential(torch.nn.Linear(10, 2)).eval()
        model = torch.ao.quantization.quantize_dynamic(net, {torch.nn.Linear}, dtype=torch.qint8)
        torch.export.export(model, (torch.randn(8, 10),))  # <- AOTI215

    Bad:
        import torch

        model = torch.compile(torch.nn.Linear(10, 2).eval())
        torch.jit.trace(model, torch.randn(8, 10))  # <- AOTI215

    Good:
        import torch

        class Scale(torch.nn.Module):
            def forward(self, x):
                return x * 2

        torch.export.export(Scale().eval(), (torch.randn(8),))

    How to debug:
        `isinstance(model, torch.nn.Module)` is what torch asks. What `torch.compile(model)` and
        `torch.nn.DataParallel(model)` give are modules, and can be exported.

    Sources:
        `torch/export/__init__.py`, lines 159 to 169, of release 2.13.0; the first check in all releases from 2.4.1,
        the second from 2.5.1, to 2.15.0. Run on torch 2.13, with `strict=True` and without.
        Models of `torch.ao.quantization`, eleven of them, by `torch.export` of both kinds, to ONNX and with
        `fullgraph=True`: run on torch 2.13. One in which nothing is replaced is exported as it is.
        `torch.jit.trace` and `torch.onnx.export` of what is compiled, with several backends, and the latter of each
        kind of object: run on torch 2.13. `torch/onnx/__init__.py` and `_internal/exporter/_capture_strategies.py` of
        releases 2.8.0 to 2.15.0.
        https://docs.pytorch.org/docs/stable/export.html
    """

    code = "AOTI215"
    name = "not-exportable"
    of_releases = True
    outcome = Outcome.RAISES_AT_EXPORT
    doubt = "whether anything of the model was quantized is not known"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        yield from self._traced(facts)
        for event in calls(facts, *CHECKED_EXPORTS, raising=("ValueError",)):
            yield from self._refused(facts, event, event.versions, "mod", (*_NO_MODULE, "torch.jit.ScriptModule"))
        for event in calls(facts, *EXPORTS, raising=("AttributeError", *USER_ERROR)):
            kinds = _QUANTIZED if event.kwargs.get("strict") == TRUE else _QUANTIZED[:2]
            yield from self._refused(facts, event, event.versions, "mod", kinds, Confidence.LIKELY)
        for event, failing in exports_to_onnx(facts, *ONNX_ERROR):
            yield from self._refused(facts, event, failing, "model", _NO_MODEL)
            yield from self._refused(facts, event, failing, "model", _QUANTIZED, Confidence.LIKELY)

    def _refused(
        self,
        facts: Facts,
        event: ApiCall,
        failing: VersionSet,
        parameter: str,
        kinds: tuple[str, ...],
        most: Confidence = Confidence.CERTAIN,
    ) -> Iterator[Diagnostic]:
        given = event.arg(0, parameter)
        verdict = None if given is None else judge([given], event.path, lambda values: kind(event, values[0]) in kinds)
        if verdict is None:
            return
        confidence, (value,) = verdict
        what = kind(event, value)
        if what == "torch.jit.ScriptModule":
            failing &= _SCRIPTED_SINCE
        if failing:
            yield self.found(
                facts,
                event,
                weaker(confidence, most),
                f"{WORDS[what]} cannot be exported: the export raises",
                span=event.place(0, parameter),
                failing=failing,
                label=WORDS[what],
                severity=Severity.ERROR if most is Confidence.CERTAIN else Severity.WARNING,
                help=_help(what) if parameter == "mod" or what in _QUANTIZED else f"{_help(what)}, or say dynamo=False",
            )

    def _traced(self, facts: Facts) -> Iterator[Diagnostic]:
        if any((event.module, event.key) == _NESTED for event in facts.of(ConfigWrite)):
            return
        for event in calls(facts, *_TRACERS, raising=("RuntimeError",)):
            name = api.canonical(event.name)
            parameter = _TRACERS[name]
            if event.name == ONNX and event.kwargs.get("dynamo") != FALSE:
                continue
            given = event.arg(0, parameter)
            verdict = None if given is None else judge([given], event.path, _is_compiled)
            if verdict is not None:
                yield self.found(
                    facts,
                    event,
                    verdict,
                    f"{name} cannot trace what torch.compile gave: it raises",
                    span=event.place(0, parameter),
                    outcome=Outcome.RAISES,
                    label="compiled",
                    help="trace the model itself, which a compiled one has as model._orig_mod",
                )


def _is_compiled(values: list[Value]) -> bool | None:
    made = values[0].compiled if isinstance(values[0], Obj | Func) else None
    return made is not None and made.option("disable") in (NONE, FALSE)


def _help(what: str) -> str:
    if what in ("Program", "LoadedProgram"):
        return "it is exported already: use it as it is, or export program.module()"
    if what in _QUANTIZED:
        return "export the float model, and quantize the program: prepare_pt2e and convert_pt2e of torchao"
    if what == "Class":
        return "make an instance of it"
    if what.startswith("torch.jit."):
        return "export the module it was scripted from"
    return "put it into the forward of an nn.Module" if what in ("Func", "Bound") else "export an nn.Module"
