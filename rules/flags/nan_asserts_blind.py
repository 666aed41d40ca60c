"""AOTI506."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, judge, nodes, weaker
from aoti_lint.rule.events import CompileEvent
from aoti_lint.rule.links import compiled_for
from aoti_lint.rule.values import Class, Device, Obj, Package, Program, Value, leaves

from ._aids import NAN_ASSERTS, Setting, settings
from ._runs import Run, by_place, runs, script_of


class NanAssertsBlind(Rule):
    """NaN asserts where they cannot see what is looked for, or stop at what is meant to be there.

    What happens:
        In a package for the CPU the asserts look at the inputs at most: a NaN that a kernel makes is returned like any
        other number. Everywhere they stop at infinities as well (`At least one INF in arg0_1`), so a mask filled with
        `-inf` can end the call though nothing is wrong.

    Why:
        The checks after each kernel are written by the code generator of Triton kernels; the one of C++ kernels has
        none. What they call is `aoti_torch_check_inf_and_nan`.

    Bad:
        import os

        os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"  # <- AOTI506
        import torch

        program = torch.export.export(torch.nn.Linear(4, 4), (torch.ones(2, 4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    Good:
        import os

        os.environ["AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = "2"
        import torch

        program = torch.export.export(torch.nn.Linear(4, 4), (torch.ones(2, 4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    How to debug:
        On the CPU compile with the debug printer in mode 2: it prints the values before and after each kernel; the
        first NaN after a kernel is that kernel's. Or call `program.module()` with hooks, eagerly.

    Sources:
        Run on torch 2.13, CPU (a NaN input, an infinite input, a NaN made by a kernel) and on a GPU.
        `torch/_inductor/codegen/simd.py:3129` and `cpp_wrapper_cpu.py:2135` of release 2.13.0; the only calls of
        `codegen_nan_check` are in `simd.py` from 2.5.1 to 2.15.0.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor_debugging_guide.html
    """

    code = "AOTI506"
    name = "nan-asserts-blind"
    severity = Severity.WARNING
    outcome = Outcome.UNCHECKED

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        written = {setting.event: setting for setting in settings(facts, NAN_ASSERTS)}
        by_script = runs(facts) if written else {}
        for events in by_place(written).values():
            found = [self._judge(facts, by_script[script_of(event)], written[event]) for event in events]
            known = [one for one in found if one is not None]
            if len(known) == len(found):
                yield known[0]

    def _judge(self, facts: Facts, run: Run, setting: Setting) -> Diagnostic | None:
        sure = setting.sure()
        builds = [event for event in run.builds() if event.order > setting.event.order]
        if sure is None or not builds:
            return None
        verdicts = [_for_cpu(facts, event) for event in builds]
        known = [verdict for verdict in verdicts if verdict is not None]
        if len(known) == len(verdicts):
            return self.found(
                facts,
                setting.event,
                weaker(sure, *known),
                "NaN asserts check no kernel of a package for the CPU: a NaN that one makes is returned",
                label="no kernel is checked",
                related=(Related(builds[0].span, "compiled for the CPU here"),),
                help="the debug printer in mode 2 shows the values around every kernel: set `aot_inductor."
                'debug_intermediate_value_printer` to "2"',
                symptom="nan",
            )
        masks = [place for event in builds for place in _infinities(event)]
        if not masks:
            return None
        return self.found(
            facts,
            setting.event,
            Confidence.POSSIBLE,
            "NaN asserts stop at infinities too, and the model makes some on purpose: the call may raise where nothing "
            "is wrong",
            related=(Related(masks[0], "an infinity"),),
            help="fill masks with the smallest number of the dtype (`torch.finfo(dtype).min`) while looking for a NaN",
            outcome=Outcome.RAISES_AT_CALL,
        )


def _for_cpu(facts: Facts, event: CompileEvent) -> Confidence | None:
    """How sure it is that a package is compiled for the CPU; None if it is not known to be."""
    if not isinstance(event.package, Package):
        return None
    device = compiled_for(facts, event.package, event)
    verdict = judge([device], event.path, _is_cpu)
    return None if verdict is None else verdict[0]


def _is_cpu(values: list[Value]) -> bool | None:
    device = values[0]
    return device.type == "cpu" if isinstance(device, Device) else None


def _infinities(event: CompileEvent) -> Iterator[Span]:
    """Where the class of a compiled model writes an infinity."""
    program = event.package.program if isinstance(event.package, Package) else event.package
    for _, leaf in leaves(program, event.path):
        model = leaf.model if isinstance(leaf, Program) else None
        if isinstance(model, Obj) and isinstance(model.cls, Class):
            path = model.cls.module.path
            yield from (Span(path, one.start, one.end) for one in _walk(model.cls.node) if _is_infinity(one))


def _is_infinity(node: nodes.Node) -> bool:
    """Whether this is `float("-inf")`, `math.inf`, `torch.inf` …"""
    if isinstance(node, nodes.Attr):
        return node.name == "inf"
    if not isinstance(node, nodes.Call) or not isinstance(node.func, nodes.Name) or node.func.id != "float":
        return False
    given = [one.value for one in node.args]
    return len(given) == 1 and isinstance(given[0], nodes.Const) and str(given[0].value).lstrip("+-").lower() == "inf"


def _walk(root: nodes.Node) -> Iterator[nodes.Node]:
    todo: list[object] = [root]
    while todo:
        one = todo.pop()
        if isinstance(one, nodes.Node):
            yield one
            todo += [getattr(one, slot) for slot in one.__dataclass_fields__ if slot not in ("start", "end")]
        elif isinstance(one, list | tuple):
            todo += one
