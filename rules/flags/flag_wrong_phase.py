"""AOTI502."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Related, Rule, Severity, judge, weaker
from aoti_lint.rule.events import CHECKS, CompileEvent, EnvWrite, Event, LoadEvent
from aoti_lint.rule.links import packages_of
from aoti_lint.rule.values import Const, Loaded, Value

from ._aids import AIDS, MINIFIER, Setting, settings
from ._runs import Run, by_place, is_apart, runs, script_of

CHECK = "AOTI_RUNTIME_CHECK_INPUTS"


class FlagWrongPhase(Rule):
    """A setting of the compile is set where packages only run, or a setting of the run where they are only compiled.

    What happens:
        Nothing. NaN asserts, the debug printer, its filter, the minifier, `debug_compile` and autotuning become code of
        the package when it is compiled: set in the process that loads it, they print nothing and check nothing.
        `AOTI_RUNTIME_CHECK_INPUTS` is the other way round: the checks are in every package since torch 2.7, and the
        process that calls it decides, at its first call.

    Why:
        A package is compiled once, by code that reads `torch._inductor.config`. Loading it compiles nothing.

    Bad:
        # file: serve.py
        import os

        os.environ["AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = "3"  # <- AOTI502
        import torch

        run = torch._inductor.aoti_load_package("net.pt2")
        run(torch.ones(4))

    Bad:
        # file: build.py
        import os

        os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"  # <- AOTI502
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    Good:
        # file: build.py
        import os

        os.environ["AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = "3"
        import torch

        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

        # file: serve.py
        import os

        os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"
        import torch

        run = torch._inductor.aoti_load_package("net.pt2")
        run(torch.ones(4))

    How to debug:
        `aoti-lint inspect net.pt2` says which debug code a package holds. After moving the setting, compile the package
        again.

    Sources:
        Run on torch 2.13 (the printer and NaN asserts set where a package is loaded; the input check set where it is
        compiled and not where it runs). `torch/_inductor/codegen/cpp_wrapper_cpu.py:822` of release 2.13.0.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor_debugging_guide.html
    """

    code = "AOTI502"
    name = "flag-wrong-phase"
    severity = Severity.WARNING
    outcome = Outcome.NO_EFFECT

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        by_script = runs(facts)
        yield from self._of_the_compile(facts, by_script)
        yield from self._of_the_run(facts, by_script)

    def _of_the_compile(self, facts: Facts, by_script: dict[str, Run]) -> Iterator[Diagnostic]:
        written = {setting.event: setting for setting in settings(facts, *AIDS)}
        for events in by_place(written).values():
            runs_of = {event: _run_of(facts, by_script, event) for event in events}
            found = [self._where_it_only_runs(facts, runs_of[e], written[e]) for e in events]
            known = [one for one in found if one is not None]
            if len(known) < len(found):
                continue
            setting = written[events[0]]
            load = runs_of[events[0]].loads()
            who = "the program that gets it" if _is_for_another(setting.event) else "this script"
            yield self.found(
                facts,
                setting.event,
                weaker(*known),
                f"`{setting.name}` is read when a package is compiled; {who} only runs one: it has no effect",
                label="no effect on what is already compiled",
                related=(Related(load.span, "loaded here, compiled before"),) if load is not None else (),
                help=f"set it where the package is compiled, and compile again: {setting.aid.what} "
                f"{'are' if setting.aid.what.endswith('s') else 'is'} part of the package",
            )

    @staticmethod
    def _where_it_only_runs(facts: Facts, run: Run, setting: Setting) -> Confidence | None:
        """How sure it is that a setting of the compile is set for nothing; None if it is not."""
        sure = setting.sure()
        if sure is None or not run.only_runs() or run.starts_after(setting.event.order):
            return None
        apart = is_apart(facts, run, setting.event, LoadEvent)
        return Confidence.POSSIBLE if apart else sure

    def _of_the_run(self, facts: Facts, by_script: dict[str, Run]) -> Iterator[Diagnostic]:
        written = [event for event in facts.of(EnvWrite) if event.name == CHECK and event.versions & CHECKS]
        written = [event for event in written if not _is_for_another(event)]
        running = [run for name in {script_of(event) for event in written} if (run := by_script[name]).calls_package()]
        minified = {script_of(setting.event) for setting in settings(facts, MINIFIER) if setting.may_be_on()}
        for events in by_place(written).values():
            found = [self._where_nothing_runs(facts, by_script[script_of(e)], e) for e in events]
            known = [one for one in found if one is not None]
            if len(known) < len(found) or minified & {script_of(e) for e in events}:
                continue
            if any(_may_run(facts, run, by_script[script_of(e)]) for run in running for e in events):
                continue
            event = events[0]
            build = next(iter(by_script[script_of(event)].builds()))
            yield self.found(
                facts,
                event,
                weaker(*known),
                f"{CHECK} is read where the package runs, at its first call; this script only compiles one: "
                "it has no effect",
                failing=event.versions & CHECKS,
                label="nothing runs here",
                related=(Related(build.span, "compiled here; the checks are in every package"),),
                help="set it in the process that loads and calls the package, before its first call",
            )

    @staticmethod
    def _where_nothing_runs(facts: Facts, run: Run, event: EnvWrite) -> Confidence | None:
        """How sure it is that a script turns on a check which nothing it runs asks for; None if it does not."""
        verdict = judge([event.value], event.path, _turns_on)
        if verdict is None or not run.builds() or run.calls_package() or run.starts_after(event.order):
            return None
        apart = is_apart(facts, run, event, CompileEvent)
        return Confidence.POSSIBLE if apart else verdict[0]


def _may_run(facts: Facts, run: Run, build: Run) -> bool:
    """Whether one script may run what another one compiles: a package of it, or one we do not know beside it."""
    made = {event.package for event in build.builds()}
    loads = [(load, load.loaded) for load in run.of(LoadEvent) if isinstance(load.loaded, Loaded)]
    found = [packages_of(facts, loaded, load) for load, loaded in loads]
    if any(one.value in made for packages in found for one in packages):
        return True
    beside = run.script.rpartition("/")[0] == build.script.rpartition("/")[0]
    return beside and (not found or not all(found))


def _run_of(facts: Facts, by_script: dict[str, Run], event: Event) -> Run:
    """What is run with a variable or setting: the script, or the program that it starts with the variable."""
    if not isinstance(event, EnvWrite) or event.program is None:
        return by_script[script_of(event)]
    events = [e for e in facts.of(Event) if e.order > event.order and event.program in e.chain]
    paths = {(*e.chain, e.span)[e.chain.index(event.program) + 1].path for e in events}
    return Run(paths.pop() if len(paths) == 1 else script_of(event), events)


def _is_for_another(event: Event) -> bool:
    """Whether a variable is given to a program that the script starts."""
    return isinstance(event, EnvWrite) and event.target == "child"


def _turns_on(values: list[Value]) -> bool | None:
    """Whether the text turns the check on: any that does not begin with 0, also the empty one."""
    value = values[0]
    if not isinstance(value, Const):
        return None
    return isinstance(value.value, str) and not value.value.startswith("0")
