"""AOTI513."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, Span, judge
from aoti_lint.rule.events import CompiledCall, ConfigWrite, ShellWrite
from aoti_lint.rule.torch import INDUCTOR, settings
from aoti_lint.rule.values import FALSE, NONE, TRUE, Compilation, Const, Device, Pairs, Tensor, Tup, Value

from ..package._imports import in_its_process
from ._compile import COMPILE, CUDAGRAPHS, is_inductor, once

_VERBOSE, _QUIET = "verbose_progress", "disable_progress"


_LASTING = {
    "docker": "ENV {name}=… in the Dockerfile",
    "make": "`export {name} = …` outside of the recipe, or put it before the command on the same line",
    "step": 'env: with {name} at the step or job, or `echo "{name}=…" >> "$GITHUB_ENV"`',
}
"""How a variable outlasts the shell that sets it."""


class SettingWithoutEffect(Rule):
    """A setting does nothing where it stands.

    What happens:
        Nothing, and nobody says so:

        - CUDA graphs for a package: code compiled by AOTInductor has none, whatever `triton.cudagraphs` says;
        - `mode="reduce-overhead"` (or the option `triton.cudagraphs`) for what runs on the CPU: CUDA graphs are all it
          turns on, and they are skipped there;
        - `config.patch(…)` as a statement of its own: it gives a context manager, and sets nothing until that is
          entered;
        - a variable that a shell script sets for itself and does not export: what it starts does not see it;
        - a variable that a `RUN` of a Dockerfile, a step of GitHub or a line of a recipe exports without starting
          anything: the shell ends there, and what others start does not see it;
        - `verbose_progress` while `disable_progress` is True, which it is by default.

    Why:
        What was hoped for, fewer launches or a progress bar, is missing, and numbers measured "with" it are not.

    Bad:
        import torch

        program = torch.export.export(torch.nn.Linear(8, 4), (torch.ones(2, 8),))
        torch._inductor.aoti_compile_and_package(
            program,
            inductor_configs={"triton.cudagraphs": True},  # <- AOTI513
        )
        torch._inductor.config.verbose_progress = True  # <- AOTI513

    Bad:
        import torch

        run = torch.compile(torch.nn.Linear(8, 4), mode="reduce-overhead")  # <- AOTI513
        run(torch.ones(2, 8))

    Bad:
        import torch

        torch._inductor.config.patch(max_autotune=True)  # <- AOTI513
        torch.compile(torch.nn.Linear(8, 4))(torch.ones(2, 8))

    Good:
        import torch

        run = torch.compile(torch.nn.Linear(8, 4).cuda(), mode="reduce-overhead")
        run(torch.ones(2, 8, device="cuda"))
        torch._inductor.config.verbose_progress = True
        torch._inductor.config.disable_progress = False
        with torch._inductor.config.patch(max_autotune=True):
            torch.compile(torch.nn.Linear(8, 4))(torch.ones(2, 8))

    How to debug:
        `TORCH_LOGS=cudagraphs,perf_hints` says which graphs were skipped and why. Calls of a package can be captured
        with `torch.cuda.graph` by the caller.

    Sources:
        `get_cpp_wrapper_config` in `_inductor/compile_fx.py`, and the only use of `verbose_progress`, in
        `_inductor/async_compile.py`, of the releases 2.4.1 to 2.15.0; the log of torch 2.13 on the CPU.
    """

    code = "AOTI513"
    name = "setting-without-effect"
    severity = Severity.WARNING
    outcome = Outcome.NO_EFFECT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        reported: set[Span] = set()
        talking = [e for e in facts.of(ConfigWrite) if e.module == INDUCTOR and e.key == _QUIET and e.value != TRUE]
        for event in facts.of(ConfigWrite):
            if event.discarded and once(reported, event.span):
                what = f"this sets nothing: {event.module}.patch gives a context manager, which nothing enters"
                advice = f"write `with {event.module}.patch(…):` around what it is for, or set {event.key} itself"
                yield self.found(facts, event, Confidence.CERTAIN, what, help=advice, label="no effect here")
            if event.module != INDUCTOR or event.discarded:
                continue
            if event.key == CUDAGRAPHS and event.api and event.api != COMPILE:
                what = "code compiled by AOTInductor has no CUDA graphs: triton.cudagraphs has no effect"
                help = "leave it out; callers may capture calls of the package with torch.cuda.graph"
            elif event.key == _VERBOSE and not any(in_its_process(facts, one, event) for one in talking):
                what = "verbose_progress has no effect while disable_progress is True, its default"
                help = "set disable_progress to False as well"
            else:
                continue
            verdict = judge([event.value], event.path, _is_on)
            if verdict is not None and once(reported, event.span):
                yield self.found(facts, event, verdict[0], what, help=help, label="no effect here")
        yield from self._on_cpu(facts, reported)
        for variable in facts.of(ShellWrite):
            if settings.variable_versions(variable.name) and once(reported, variable.span):
                yield self._in_the_shell(facts, variable)

    def _in_the_shell(self, facts: Facts, variable: ShellWrite) -> Diagnostic:
        """A variable that only a shell has, or that ends with its shell."""
        name, file = variable.name, variable.span.path
        what, label = f"{name} is a variable of the shell alone: {variable.command} does not see it", "not exported"
        help = f"write `export {name}=…`, or put it before the command on the same line"
        doubt = "who starts the script may have exported the variable"
        if not variable.command:
            what, label = f"{name} is exported in a shell that ends here: what is started later does not see it", "lost"
            kind = "docker" if "dockerfile" in file.lower() else "make" if "make" in file.lower() else "step"
            help, doubt = f"write {_LASTING[kind].format(name=name)}", ""
        return self.found(facts, variable, Confidence.LIKELY, what, help=help, label=label, doubt=doubt)

    def _on_cpu(self, facts: Facts, reported: set[Span]) -> Iterator[Diagnostic]:
        """CUDA graphs, and nothing else, for what only ever runs on the CPU."""
        calls: dict[Span, list[CompiledCall]] = {}
        for event in facts.of(CompiledCall):
            calls.setdefault(event.compilation.span, []).append(event)
        for place, events in calls.items():
            verdicts = [judge(_asked(event), event.path, _fails) for event in events]
            if not all(v is not None and v[0] is Confidence.CERTAIN for v in verdicts) or not once(reported, place):
                continue
            yield self.found(
                facts,
                events[0],
                Confidence.CERTAIN,
                "this turns on CUDA graphs and nothing else, for what runs on the CPU: no effect",
                span=place,
                label="no effect here",
                related=(Related(events[0].span, "on cpu here"),),
                help="leave the mode out, or measure on the device it is meant for",
            )


def _is_on(values: list[Value]) -> bool | None:
    return bool(values[0].value) if isinstance(values[0], Const) else None


def _asked(event: CompiledCall) -> list[Value]:
    """Mode, options and the devices of all that a call gives."""
    by: Compilation = event.compilation
    plain = is_inductor(by.option("backend")) is True and by.option("disable") in (NONE, FALSE)
    result = event.result
    items = result.items if isinstance(result, Tup) else (result,)
    devices = [one.device if isinstance(one, Tensor) else one for one in items]
    return [by.option("mode") if plain else NONE, by.option("options") if plain else NONE, *devices]


def _fails(values: list[Value]) -> bool | None:
    mode, options, *devices = values
    only = mode == Const("reduce-overhead")
    if isinstance(options, Pairs):
        only = [(k, v) for k, v in options.pairs] == [(Const(CUDAGRAPHS), TRUE)]
    return only and bool(devices) and all(isinstance(device, Device) and device.type == "cpu" for device in devices)
