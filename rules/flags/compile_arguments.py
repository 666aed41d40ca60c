"""AOTI512."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from aoti_lint.rule import Confidence, Diagnostic, Facts, Outcome, Rule, Severity, Span, VersionSet, catches, judge
from aoti_lint.rule.events import ApiCall
from aoti_lint.rule.torch import settings
from aoti_lint.rule.values import FALSE, NONE, Const, Pairs, Tup, Value

from ..api._calls import kind
from ..package._imports import in_its_process, reach
from ._backends import cannot_be_called, gives_nothing
from ._compile import (
    IGNORED_SINCE,
    MODES,
    compiles,
    ignoring,
    is_given,
    is_inductor,
    keyword,
    mentions,
    once,
)
from ._plugins import BRINGING, REGISTERING, is_plugin, registering
from ._written import backends, modes, written_compiles

_ENTRY_POINTS = "torch_dynamo_backends"
"""The group under which the metadata of a package names its backends."""
_SCRIPTED = ("torch.jit.ScriptModule",)
_NOT_SCRIPTED = VersionSet.since("2.12")
"""The releases whose `torch.compile` refuses what `torch.jit.script` and `torch.jit.freeze` make of a module."""
_FORM = (
    "is called with the graph and its example inputs, and this function does not take both",
    "define it as def backend(gm, example_inputs), and return a function",
)
_NOTHING = (
    "gives the function that runs in the place of the graph, and this one gives nothing",
    "end it with return gm.forward, which runs the graph as it is",
)
"""What is wrong with a backend of the project, and what to write instead."""


class CompileArguments(Rule):
    """`torch.compile` is given arguments that it does not take, or that its backend does not look at.

    What happens:
        Before anything is compiled, the call raises one of

            RuntimeError: Either mode or options can be specified, but both can't be specified at the same time.
            RuntimeError: Unrecognized mode=max_autotune, should be one of: default, lite, reduce-overhead, …
            AssertionError: A callable function is expected, but <class 'str'> is provided.
            AssertionError: Expected enable to be a bool, got <class 'str'>
            RuntimeError: torch.compile does not support compiling torch.jit.script or torch.jit.freeze models directly.
            InvalidBackend: Invalid backend: 'inductr', see `torch._dynamo.list_backends()` for available backends.

        A backend of one's own is called with the graph and the example inputs; where it does not take both, the first
        call of the compiled model raises `BackendCompilerFailed: … TypeError: backend() takes 1 positional argument`,
        and `BackendCompilerFailed: … compiler_fn did not return callable` where it returns nothing.
        The backends for debugging (`eager`, `aot_eager` …) log `eager backend ignoring extra kwargs {'mode': …}` and
        go on, since torch 2.5; in 2.4 their first call raises a TypeError. A text as `disable` turns compiling off.

    Why:
        A mode is a name for some options: `max-autotune` is `{"max_autotune": True, "triton.cudagraphs": True,
        "coordinate_descent_tuning": True}`. `lite` is new in torch 2.10. `dynamic` is True, False or None. Code that
        catches the error and goes on without compiling runs slowly and never says why.

    Bad:
        import torch

        model = torch.nn.Linear(8, 4)
        tuned = torch.compile(model, mode="max-autotune", options={"triton.cudagraphs": False})  # <- AOTI512
        quick = torch.compile(model, mode="max_autotune")  # <- AOTI512
        plain = torch.compile(model, dynamic="auto")  # <- AOTI512
        names = torch.compile("model")  # <- AOTI512

    Bad:
        import torch

        def backend(graph):
            return graph.forward

        quick = torch.compile(torch.nn.Linear(8, 4), backend="eager", mode="reduce-overhead")  # <- AOTI512
        own = torch.compile(torch.nn.Linear(8, 4), backend=backend)  # <- AOTI512

        def quiet(gm, example_inputs):
            print(gm.code)

        none = torch.compile(torch.nn.Linear(8, 4), backend=quiet)  # <- AOTI512

    Good:
        import torch

        model = torch.nn.Linear(8, 4)
        tuned = torch.compile(model, mode="max-autotune-no-cudagraphs")
        quick = torch.compile(model, options={"max_autotune": True, "epilogue_fusion": True})
        plain = torch.compile(model, dynamic=None)

    How to debug:
        `python -c "import torch; print(torch._inductor.list_mode_options(), torch._dynamo.list_backends(None))"` prints
        the modes with what they set, and the backends that are installed.

    Sources:
        Run on torch 2.13.0 and 2.4.1 (this project's tests). `torch/__init__.py` and `torch/_dynamo/backends` of the
        releases 2.4.1 to 2.15.0.
        https://docs.pytorch.org/docs/stable/generated/torch.compile.html
    """

    code = "AOTI512"
    name = "compile-arguments"

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        reported: set[Span] = set()
        for event in (*compiles(facts), *written_compiles(facts)):
            found = (
                self._compiled(facts, event)
                or self._both(facts, event)
                or self._mode(facts, event)
                or self._backend(facts, event)
                or self._of_another_form(facts, event)
                or self._ignored(facts, event)
                or self._dynamic(facts, event)
                or self._disabled(facts, event)
            )
            if found is not None and once(reported, found.span):
                yield found

    def _compiled(self, facts: Facts, event: ApiCall) -> Diagnostic | None:
        """The name of a model in quotes, or several models at once."""
        model = event.arg(0, "model")
        scripted = None if model is None else judge([model], event.path, lambda v: kind(event, v[0]) in _SCRIPTED)
        # What torch.jit.trace gives is a class of its own, which is taken.
        traced = scripted is not None and mentions(facts, event, "jit.trace")
        if scripted is not None and not traced and not catches(event.caught | event.expected, "RuntimeError"):
            return self.found(
                facts,
                event,
                scripted,
                "torch.compile is given what torch.jit made: it raises",
                span=event.place(0, "model"),
                failing=event.versions & _NOT_SCRIPTED,
                label="a ScriptModule",
                help="compile the model itself, without torch.jit.script and torch.jit.freeze",
            )
        if model is None or catches(event.caught | event.expected, "AssertionError"):
            return None

        def fails(values: list[Value]) -> bool | None:
            return values[0] != NONE and isinstance(values[0], Const | Tup | Pairs)

        verdict = judge([model], event.path, fails)
        if verdict is None:
            return None
        return self.found(
            facts,
            event,
            verdict,
            "torch.compile is given something that cannot be called: it raises",
            span=event.place(0, "model"),
            label="neither a module nor a function",
            help="give it the module or the function itself; of several, each in a call of its own",
        )

    def _both(self, facts: Facts, event: ApiCall) -> Diagnostic | None:
        mode, options = keyword(event, "mode"), keyword(event, "options")
        verdict = judge([mode, options], event.path, lambda v: _all(is_given(v[0]), is_given(v[1])))
        if verdict is None or catches(event.caught | event.expected, "RuntimeError"):
            return None
        name = verdict[1][0].value if isinstance(verdict[1][0], Const) else None
        return self.found(
            facts,
            event,
            verdict,
            "torch.compile takes a mode or options, not both: the call raises",
            span=event.place(None, "options"),
            label="options beside a mode",
            help=_as_options(name, verdict[1][1]),
        )

    def _mode(self, facts: Facts, event: ApiCall) -> Diagnostic | None:
        mode, backend = keyword(event, "mode"), keyword(event, "backend")
        if catches(event.caught | event.expected, "RuntimeError") or (
            backend == NONE and _is_backend_set(facts, event)
        ):
            return None
        known_in = modes(event.versions)

        def failing(values: list[Value]) -> VersionSet:
            name = values[0].value if isinstance(values[0], Const) else None
            return VersionSet(v for v, known in known_in.items() if name and name not in known)

        verdict = judge([mode, backend], event.path, lambda v: _all(is_inductor(v[1]), bool(failing(v))))
        if verdict is None:
            return None
        versions, given = failing(verdict[1]), verdict[1][0]
        name = given.value if isinstance(given, Const) else None
        known = settings.compile_modes(versions.last)
        near = get_close_matches(str(name).replace("_", "-").lower(), sorted(known), n=1, cutoff=0.5)
        return self.found(
            facts,
            event,
            verdict,
            f"torch.compile knows no mode {name!r}: the call raises",
            span=event.place(None, "mode"),
            failing=versions,
            help=f"did you mean {near[0]!r}?" if near else f"the modes are {', '.join(sorted(known))}",
        )

    def _backend(self, facts: Facts, event: ApiCall) -> Diagnostic | None:
        """Other packages may bring backends: only a name close to one of torch's is said aloud."""
        known = backends(event.versions)

        def fails(values: list[Value]) -> bool | None:
            return isinstance(values[0], Const) and isinstance(values[0].value, str) and values[0].value not in known

        verdict = judge([keyword(event, "backend")], event.path, fails)
        if (
            verdict is None
            or catches(event.caught | event.expected, "InvalidBackend")
            or mentions(facts, event, *REGISTERING)
            or facts.project.mentions(_ENTRY_POINTS).files
        ):
            return None
        given = verdict[1][0]
        name = given.value if isinstance(given, Const) else None
        near = get_close_matches(str(name), sorted(known), n=1, cutoff=0.75)
        reached = reach(facts, event.root.split("::")[0])
        # `from package import *` imports what the package lists, and an extension of torch brings its own.
        is_open = reached.dynamic or reached.mentions(r"\bimport\s*\(?\s*\*") or reached.mentions(BRINGING)
        there = None if is_open else next(registering(facts, str(name)), None)
        if there is not None and is_plugin(facts):
            return None
        if not near and there is None:
            return None
        what = f"torch has no backend {name!r}: unless an installed package brings one, the call raises"
        help = f"did you mean {near[0]!r}?" if near else ""
        if there is not None:
            what = f"the backend {name!r} is registered in {there}, which is not imported here: the call raises"
            help = f"import {facts.project.module_name(there) or there} before"
        sure = verdict[0] if verdict[0] is Confidence.POSSIBLE else Confidence.LIKELY
        return self.found(facts, event, sure, what, span=event.place(None, "backend"), help=help)

    def _of_another_form(self, facts: Facts, event: ApiCall) -> Diagnostic | None:
        """A function as the backend that cannot be called with a graph and its example inputs, or gives nothing."""
        backend = [keyword(event, "backend")]
        off = keyword(event, "disable") not in (NONE, FALSE)
        if off or catches(event.caught | event.expected, "BackendCompilerFailed", "TypeError"):
            return None
        form = judge(backend, event.path, lambda v: cannot_be_called(v[0]))
        # A mode, or options, it is given by name.
        if form is not None and any(keyword(event, name) != NONE for name in ("mode", "options")):
            return None
        verdict = form or judge(backend, event.path, lambda v: gives_nothing(v[0]))
        if verdict is None or (form is None and mentions(facts, event, "suppress_errors")):
            return None
        what, advice = _FORM if form is not None else _NOTHING
        return self.found(
            facts,
            event,
            verdict,
            f"a backend {what}: the first call raises",
            span=event.place(None, "backend"),
            outcome=Outcome.RAISES_AT_CALL,
            label="the backend",
            help=advice,
        )

    def _ignored(self, facts: Facts, event: ApiCall) -> Diagnostic | None:
        mode, options = keyword(event, "mode"), keyword(event, "options")

        def fails(values: list[Value]) -> bool | None:
            backend = values[0].value if isinstance(values[0], Const) else None
            used = _any(_is_used(values[1]), _is_used(values[2]))
            return used if isinstance(backend, str) and backend in IGNORED_SINCE else False

        verdict = judge([keyword(event, "backend"), mode, options], event.path, fails)
        if verdict is None or not isinstance(verdict[1][0], Const) or keyword(event, "disable") not in (NONE, FALSE):
            return None
        backend = str(verdict[1][0].value)
        what = "mode" if _is_used(verdict[1][1]) else "options"
        raises = not event.versions & ignoring(backend)
        if raises and catches(event.caught | event.expected, "TypeError", "BackendCompilerFailed"):
            return None
        return self.found(
            facts,
            event,
            verdict,
            f"the backend {backend!r} takes no {what}: the first call raises"
            if raises
            else f"the backend {backend!r} does not look at {what}: it has no effect",
            span=event.place(None, what),
            severity=Severity.ERROR if raises else Severity.WARNING,
            outcome=Outcome.RAISES_AT_CALL if raises else Outcome.NO_EFFECT,
            help=f"leave {what} out with this backend; only 'inductor' has modes and options",
        )

    def _dynamic(self, facts: Facts, event: ApiCall) -> Diagnostic | None:
        def fails(values: list[Value]) -> bool | None:
            given = is_given(values[0])
            return not (isinstance(values[0], Const) and isinstance(values[0].value, bool)) if given else given

        verdict = judge([keyword(event, "dynamic")], event.path, fails)
        disabled = keyword(event, "disable") not in (NONE, FALSE)
        if verdict is None or disabled or catches(event.caught | event.expected, "AssertionError"):
            return None
        return self.found(
            facts,
            event,
            verdict,
            "dynamic is neither True, False nor None: torch.compile raises",
            span=event.place(None, "dynamic"),
            help="None, the default, makes a size dynamic once it changes; sizes of single tensors are marked with "
            "torch._dynamo.mark_dynamic",
        )

    def _disabled(self, facts: Facts, event: ApiCall) -> Diagnostic | None:
        """What is no flag turns compiling off."""
        verdict = judge([keyword(event, "disable")], event.path, lambda v: _is_text(v[0]))
        return None if verdict is None else self.found(
            facts,
            event,
            verdict,
            "disable turns torch.compile off, whatever the text says: nothing is compiled",
            span=event.place(None, "disable"),
            severity=Severity.WARNING,
            outcome=Outcome.NO_EFFECT,
            help="leave it out; a single setting is turned off by options={…}",
        )  # fmt: skip


def _is_text(value: Value) -> bool | None:
    return isinstance(value.value, str) and bool(value.value) if isinstance(value, Const) else None


def _is_backend_set(facts: Facts, event: ApiCall) -> bool:
    """Whether anything may set another backend than Inductor for what names none."""
    setting = facts.once(
        "set_default_backend", lambda: [one for one in facts.of(ApiCall) if "set_default_backend" in one.name]
    )
    return any(in_its_process(facts, one, event) for one in setting)


def _all(*answers: bool | None) -> bool | None:
    return False if False in answers else None if None in answers else True


def _any(*answers: bool | None) -> bool | None:
    return True if True in answers else None if None in answers else False


def _is_used(value: Value) -> bool | None:
    """Whether torch hands mode or options on to the backend: not the mode `default`, nor what is empty."""
    match value:
        case Const(inner):
            return bool(inner) and inner != "default"
        case Pairs(items) | Tup(items):
            return bool(items)
        case _:
            return is_given(value)


def _as_options(mode: object, options: Value) -> str:
    """How to say both in one."""
    meant = MODES.get(str(mode), None)
    given = {k.value: v.value for k, v in options.pairs if isinstance(k, Const) and isinstance(v, Const)} if isinstance(
        options, Pairs
    ) else {}  # fmt: skip
    if meant is None:
        return "write all in options; torch._inductor.list_mode_options() prints what a mode sets"
    whole = {**meant, **{str(k).replace("-", "_"): v for k, v in given.items()}}
    effective = {k: v for k, v in whole.items() if v is not False}
    same = next((name for name, sets in MODES.items() if sets == effective and name != "default"), None)
    if same is not None and isinstance(options, Pairs) and len(given) == len(options.pairs):
        return f"mode={same!r} alone is what this asks for"
    return f"write all in options; mode={mode!r} means options={meant}"
