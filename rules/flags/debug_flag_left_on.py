"""AOTI509."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Path, Rule, Severity, judge
from aoti_lint.rule.events import ConfigWrite, EnvWrite
from aoti_lint.rule.values import Const, Value

from ._aids import AIDS, settings
from ._runs import Run, by_place, runs, script_of

_FOR_DEBUGGING = re.compile(
    r"test|bench|debug|repro|minif|profil|investigat|diagnos|triage|trace|tutorial|examples?/|conftest|nan|crash|issue|bug",
    re.IGNORECASE,
)
"""Words in the path of a file that is there to find errors, or to show how."""
OTHERS = {
    ("torch._dynamo.config", "suppress_errors"): "a model that cannot be compiled runs eagerly, without a word",
    ("torch._inductor.config", "force_disable_caches"): "every start compiles everything again",
    ("torch.compiler.config", "force_disable_caches"): "every start compiles everything again",
}
EFFECTS = {
    "nan_asserts": "every call checks its values, and an infinity ends it",
    "aot_inductor.debug_intermediate_value_printer": "every call prints or saves what its kernels compute",
    "aot_inductor.debug_compile": "the C++ is not optimised",
}
"""Keys of Inductor that are looked at, and what each costs."""
_INJECTED = re.compile(r"(?:.*\.)?inject_\w+_TESTING_ONLY")
_FOR_TESTS = re.compile(r"test|fuzz", re.IGNORECASE)


class DebugFlagLeftOn(Rule):
    """A setting that helps to find an error is on, whatever the user asks for, in code that builds or serves.

    What happens:
        NaN asserts and the debug printer are compiled into the package and slow down every call; the C++ of
        `debug_compile` is not optimised. With
        `torch._dynamo.config.suppress_errors` a model that cannot be compiled runs eagerly, and nobody is told. The
        keys `inject_…_TESTING_ONLY` put a bug into the generated code, which then does not compile, fails, or gives
        wrong numbers: torch tries its minifier with them.

    Why:
        Such lines are added while an error is looked for, and stay.

    Bad:
        import torch

        torch._inductor.config.aot_inductor.debug_compile = True  # <- AOTI509
        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    Bad:
        import torch

        torch._inductor.config.cpp.inject_relu_bug_TESTING_ONLY = "accuracy"  # <- AOTI509
        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    Good:
        import os

        import torch

        if os.environ.get("DEBUG_BUILD") == "1":
            torch._inductor.config.aot_inductor.debug_compile = True
        program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
        torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")

    How to debug:
        `aoti-lint inspect net.pt2` lists the debug code that is in a package.

    Sources:
        Run on torch 2.13 (packages compiled with each flag). `torch/_inductor/config.py` of release 2.13.0, the
        injected bugs in line 1710.
        https://docs.pytorch.org/docs/stable/torch.compiler_aot_inductor_debugging_guide.html
    """

    code = "AOTI509"
    name = "debug-flag-left-on"
    severity = Severity.INFO
    outcome = Outcome.STYLE
    doubt = "it may be meant"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        yield from self._injected(facts)
        aids = list(settings(facts, *(aid for aid in AIDS if aid.key in EFFECTS)))
        found = {one.event: (one.name, EFFECTS[one.aid.key]) for one in aids if one.sure() is Confidence.CERTAIN}
        for other in facts.of(ConfigWrite):
            if (other.module, other.key) in OTHERS and other.value == Const(True):
                found[other] = f"{other.module}.{other.key}", OTHERS[other.module, other.key]
        by_script = runs(facts) if found else {}
        for span, events in by_place(found).items():
            left = [event for event in events if _stays(event) and _is_left_on(by_script[script_of(event)], event)]
            if _FOR_DEBUGGING.search(span.path) or not left:
                continue
            name, effect = found[left[0]]
            yield self.found(
                facts,
                left[0],
                Confidence.POSSIBLE,
                f"`{name}` is on whenever this runs: {effect}",
                help="put it behind an option or a variable of your own, or take it out",
            )

    def _injected(self, facts: Facts) -> Iterator[Diagnostic]:
        """Bugs that are put into the generated code on purpose."""
        written = [event for event in facts.of(ConfigWrite) if _INJECTED.fullmatch(event.key)]
        for span, events in by_place(written).items():
            if _FOR_TESTS.search(span.path):
                continue
            verdict = judge([events[0].value], events[0].path, lambda values: _is_text(values[0]))
            if verdict is not None:
                yield self.found(
                    facts,
                    events[0],
                    verdict,
                    f"`{events[0].key}` puts a bug into the generated code on purpose",
                    severity=Severity.WARNING,
                    help="take it out: it is there for tests of the minifier",
                )


def _is_text(value: Value) -> bool | None:
    return isinstance(value.value, str) if isinstance(value, Const) else None


def _stays(event: EnvWrite | ConfigWrite) -> bool:
    """Whether nothing decides if the setting is made, and it is not made for a block or one run only."""
    passing = event.how == "patch" if isinstance(event, ConfigWrite) else event.target != "process"
    return _is_free(event.path) and not passing


def _is_free(path: Path) -> bool:
    return all(cond.kind in ("version", "machine", "exception", "loop") for cond in path)


def _is_left_on(run: Run, event: EnvWrite | ConfigWrite) -> bool:
    """Whether the setting has an effect in the script, which keeps it. Where only a package runs, AOTI502 says that
    it does nothing."""
    return run.compiles() and not _is_taken_back(run, event)


def _is_taken_back(run: Run, event: EnvWrite | ConfigWrite) -> bool:
    """Whether the script also gives the setting another value."""
    if isinstance(event, EnvWrite):
        return any(e.name == event.name and e.value != event.value for e in run.of(EnvWrite))
    return any((e.module, e.key) == (event.module, event.key) and e.value != event.value for e in run.of(ConfigWrite))
