"""AOTI720."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import (
    Confidence,
    Diagnostic,
    Facts,
    Outcome,
    Path,
    Related,
    Rule,
    Severity,
    VersionSet,
    catches,
    judge,
    weaker,
)
from aoti_lint.rule.events import CompiledCall
from aoti_lint.rule.values import FALSE, NONE, TRUE, Const, Tensor

from ..flags._compile import compiles, mentions

_LIMIT = 8
"""`torch._dynamo.config.recompile_limit`, in 2.13.0 (`torch/_dynamo/config.py`)."""
_CONFIG = "recompile_limit", "cache_size_limit"
_OTHERWISE = (
    "dynamo.reset", "compiler.reset", "import reset", "reset_code_caches",
    "set_stance", "skip_guard_eval_unsafe", "guard_filter_fn", "unspec_int", "caching_precompile",
)  # fmt: skip
"""What forgets what was compiled, or changes what guards are kept; a project that names one may use it."""
_RUN_ON = VersionSet.since("2.13")
_ENDS = {True: "it raises", False: "what is new then runs without being compiled"}
_OUTCOMES = {True: Outcome.RAISES_AT_CALL, False: Outcome.NO_EFFECT}
"""What becomes of a call beyond the limit, by whether it has to be one graph."""
Way = tuple[tuple[str, str], ...]


class RecompileLimit(Rule):
    """A compiled function is called in more ways that each need code of their own than torch compiles it for.

    What happens:
        With `fullgraph=True` the ninth way raises `FailOnRecompileLimitHit: Hard failure due to fullgraph=True`.
        Without, torch logs `torch._dynamo hit config.recompile_limit (8)` once, and what has no code yet runs
        without being compiled from then on.

    Why:
        The code of each call is kept with guards: the dtype and the number of dimensions of a tensor, the value of a
        text, bool or None that it looked at, an int that is an attribute of a module, and with `dynamic=False` each
        size and number. A call that fits none compiles again, up to `torch._dynamo.config.recompile_limit` (8) times.
        All that `torch.compile` gave for one function, or for modules of one class, shares that limit.

    Bad:
        import torch

        class Counter(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.calls = 0

            def forward(self, x):
                self.calls += 1
                return x * 2

        run = torch.compile(Counter(), fullgraph=True)
        for _ in range(10):
            run(torch.randn(4, 8))  # <- AOTI720

    Bad:
        import torch

        double = torch.compile(lambda x: x * 2, dynamic=False, fullgraph=True)
        for rows in range(2, 12):
            double(torch.randn(rows, 8))  # <- AOTI720

    Bad:
        import torch

        class Counter(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.calls = 0

            def forward(self, x):
                self.calls += 1
                return x * 2

        def train(batches):
            run = torch.compile(Counter())
            for batch in batches:
                run(batch)  # <- AOTI720

    Good:
        import torch

        class Counter(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

            def forward(self, x):
                self.calls += 1
                return x * 2

        run = torch.compile(Counter(), fullgraph=True)
        for _ in range(10):
            run(torch.randn(4, 8))

    Good:
        import torch

        double = torch.compile(lambda x: x * 2, fullgraph=True)
        for rows in range(2, 12):
            double(torch.randn(rows, 8))

    How to debug:
        `TORCH_LOGS=recompiles` prints the guard that failed at each recompile.

    Sources:
        Run on torch 2.13.0 with the backend `eager`, 120 functions (this project's tests): an int or float argument
        that differs twice is left open, but not where it counts the rounds of a `range`, chooses a layer or is a `dim`.
        `torch/_dynamo/cache_size.py` and `convert_frame.py` of release 2.13.0.
        https://docs.pytorch.org/docs/stable/user_guide/torch_compiler/compile/programming_model.recompilation.html
    """

    code = "AOTI720"
    name = "recompile-limit"
    outcome = Outcome.RAISES_AT_CALL

    def check(self, facts: Facts) -> Iterator[Diagnostic]:
        called: dict[object, list[CompiledCall]] = {}
        for event in facts.of(CompiledCall):
            if event.code is not None and event.compilation.option("disable") in (NONE, FALSE):
                called.setdefault((event.root, event.code), []).append(event)
        for events in called.values():
            beyond = self._beyond(facts, events)
            counting = (self._in_a_loop(facts, event) for event in events if event.counted)
            yield from (one for one in ((beyond,) if beyond else counting) if one is not None)

    def _beyond(self, facts: Facts, events: list[CompiledCall]) -> Diagnostic | None:
        """The first of these calls of one code for which torch compiles no more."""
        for number, event in enumerate(events):
            limit = event.compilation.option("recompile_limit")
            allowed = _LIMIT if limit == NONE else limit.value if isinstance(limit, Const) else None
            whole = event.compilation.option("fullgraph")
            if not isinstance(allowed, int) or number < allowed:
                continue
            before = [one for one in events[:number] if _surely_before(one, event.path)]
            # Where a graph may break, each module has a limit of its own.
            alike = [one for one in before if whole == TRUE or one.of == event.of]
            ways = {_way(one): one for one in reversed(alike)}
            if len(ways) < allowed or _way(event) in ways:
                continue
            if mentions(facts, event, *_OTHERWISE, *(_CONFIG if limit == NONE else ())):
                return None
            return self._told(facts, event, list(ways.values()), allowed)
        return None

    def _in_a_loop(self, facts: Facts, event: CompiledCall) -> Diagnostic | None:
        """A loop makes the call, and each makes a guard of the last one fail."""
        made = next((one for one in compiles(facts) if one.span == event.compilation.span), None)
        loops = {cond for cond, yes in event.path.items() if cond.kind == "loop" and yes}
        if made is None or loops <= made.path.keys() or event.compilation.option("recompile_limit") != NONE:
            return None
        whole = event.compilation.option("fullgraph") == TRUE
        caught = whole and catches(event.caught | event.expected, "FailOnRecompileLimitHit")
        if caught or mentions(facts, event, *_OTHERWISE, *_CONFIG):
            return None
        return self.found(
            facts,
            event,
            Confidence.LIKELY,
            f"each call changes self.{event.counted}, an int that is a guard: each needs code of its own, and torch's "
            f"limit is {_LIMIT}: {_ENDS[whole]}",
            outcome=_OUTCOMES[whole],
            failing=event.versions & _RUN_ON if whole else None,
            label="called again and again here",
            related=(Related(event.compilation.span, "compiled here"),),
            help="keep the count in a buffer (register_buffer), or count outside of what is compiled",
            symptom="recompile",
            doubt=f"the loop may run {_LIMIT} times at most, or the count begin anew",
        )

    def _told(self, facts: Facts, event: CompiledCall, before: list[CompiledCall], allowed: int) -> Diagnostic | None:
        verdict = judge([event.compilation.option("fullgraph")], event.path, lambda v: v[0] in (NONE, FALSE, TRUE))
        whole = event.compilation.option("fullgraph") == TRUE
        if verdict is None or (whole and catches(event.caught | event.expected, "FailOnRecompileLimitHit")):
            return None
        sure = (
            Confidence.CERTAIN
            if whole and len({(one.of, one.code) for one in (*before, event)}) == 1
            else Confidence.LIKELY
        )
        first = min(before, key=lambda one: one.order)
        what = _difference(event, before)
        return self.found(
            facts,
            event,
            weaker(verdict[0], sure),
            f"the compiled code is called in more than {allowed} ways that each need code of their own ({what}), which "
            f"is torch's limit: {_ENDS[whole]}",
            severity=Severity.ERROR if whole else Severity.WARNING,
            outcome=_OUTCOMES[whole],
            failing=event.versions & _RUN_ON if whole else None,
            label=f"way {allowed + 1} is called here",
            related=(
                Related(event.compilation.span, "compiled here"),
                *([Related(first.span, "called in the first way here")] if first.span != event.span else []),
            ),
            help="keep that the same, give a number that changes as a tensor, or allow more with "
            "torch._dynamo.config.recompile_limit",
            symptom="recompile",
            doubt="another call may have found the code that this one needs",
        )


def _surely_before(event: CompiledCall, path: Path) -> bool:
    return all(path.get(cond) == answer for cond, answer in event.path.items())


def _way(event: CompiledCall) -> tuple[Way, object]:
    """All that tells the code of a call apart: what it looks at, and what kind of tensor it gives."""
    made = event.result
    known = isinstance(made, Tensor) and made.shape is not None
    return event.way, (made.dtype, len(made.shape or ())) if known and isinstance(made, Tensor) else None


def _difference(event: CompiledCall, before: list[CompiledCall]) -> str:
    """What differs between the calls."""
    found: dict[str, set[str]] = {}
    for one in (event, *before):
        for name, shown in one.way:
            found.setdefault(name, set()).add(shown)
    differing = {name: shown for name, shown in found.items() if len(shown) > 1}
    if not differing:
        return "what they give differs"
    name = max(differing, key=lambda one: len(differing[one]))
    now = dict(event.way).get(name)
    return f"{name} differs" if now is None else f"{name} differs, here it is {now}"
