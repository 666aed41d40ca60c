"""What `torch.compile` is given: its mode, options and backend, and what each backend does with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aoti_lint.rule import Confidence, Facts, Path, Span, VersionSet, judge
from aoti_lint.rule.events import ApiCall, Event
from aoti_lint.rule.values import FALSE, NONE, TRUE, Compilation, Const, Func, Obj, Pairs, Tup, Unknown, Value

from ..package._imports import may_meet

COMPILE = "torch.compile"
CUDAGRAPHS = "triton.cudagraphs"

IGNORED_SINCE = {
    "eager": "2.5", "eager_noexcept": "2.5", "eager_debug": "2.5", "pre_dispatch_eager": "2.5",
    "aot_eager": "2.5", "aot_eager_default_partitioner": "2.5", "aot_eager_decomp_partition": "2.5",
    "cudagraphs": "2.13", "invoke_subgraph": "2.11", "ts": None,
}  # fmt: skip
"""Backends that use neither mode nor options, and the release since which they say so and go on; before it, and where
it is None, the first call raises (`_dynamo/backends/debugging.py`, `common.py` and `cudagraphs.py` of the releases; run
on torch 2.4.1 and 2.13)."""

MODES = {
    "default": {},
    "reduce-overhead": {CUDAGRAPHS: True},
    "max-autotune-no-cudagraphs": {"max_autotune": True, "coordinate_descent_tuning": True},
    "max-autotune": {"max_autotune": True, CUDAGRAPHS: True, "coordinate_descent_tuning": True},
}
"""What each mode sets (2.13.0 `_inductor/__init__.py`:353; before 2.6 without `coordinate_descent_tuning`)."""


def compiles(facts: Facts) -> Iterator[ApiCall]:
    """The calls of `torch.compile`, also as a decorator; one that is told of several times may come several times."""
    return (event for event in facts.of(ApiCall) if event.name == COMPILE)


def keyword(event: ApiCall, name: str) -> Value:
    """The argument of that name; unknown where it may be among arguments that are not known."""
    given = event.kwargs.get(name)
    if given is not None:
        return given
    return Unknown(f"{name}:{event.order}", "unknown arguments") if event.open else NONE


def is_given(value: Value) -> bool | None:
    """Whether an argument is something other than None; None if that is not known."""
    match value:
        case Const():
            return value != NONE
        case Pairs() | Tup() | Obj() | Func():
            return True
        case Unknown(key) if key.startswith("items:"):
            return True  # a list or dict whose items are not known
        case _:
            return None


def is_inductor(value: Value) -> bool | None:
    """Whether a value of `backend` means Inductor, which is the default; None if it is not known."""
    match value:
        case Const():
            return value.value in (None, "inductor")
        case Unknown():
            return None
        case _:
            return False


def ignoring(backend: str) -> VersionSet:
    """The releases whose backend of that name ignores mode and options; in the others it raises."""
    since = IGNORED_SINCE[backend]
    return VersionSet() if since is None else VersionSet.since(since)


def one_graph(compilations: Iterable[Compilation], path: Path) -> Confidence | None:
    """How sure it is that nothing may break the graph: all of these ask for a whole one, and none is turned off."""
    verdict = judge(
        [value for by in compilations for value in (by.option("fullgraph"), by.option("disable"))], path, _one
    )
    return None if verdict is None else verdict[0]


def _one(values: list[Value]) -> bool | None:
    whole, disabled = values[::2], values[1::2]
    if any(value not in (FALSE, NONE) for value in disabled):
        return None
    return all(value == TRUE for value in whole)


def once(places: set[Span], place: Span) -> bool:
    """Whether a place was not seen before; it is from now on."""
    before = len(places)
    places.add(place)
    return len(places) > before


def mentions(facts: Facts, event: Event, *texts: str) -> bool:
    """Whether a file of the project that its process may run, too, holds one of these."""
    script = event.root.split("::")[0]
    return any(may_meet(facts, path, script) for path in facts.project.holding(*texts))
