"""Which node of the exported program made the first bad number, or raised: as a culprit, or as the line of one."""

from __future__ import annotations

from dataclasses import dataclass

from aoti_lint.rerun.read.events import Event, Node
from aoti_lint.rerun.read.evidence import Evidence
from aoti_lint.rerun.result import Culprit, Place
from aoti_lint.rerun.wrapper.launches import places

_HALF = 65504
_ROW_IS_MASKED = (
    "Where all of a row is masked, softmax is 0/0: keep one entry of each row, leave such rows out, or mask with a "
    "large negative number in the place of -inf."
)
_FIXES = {
    **dict.fromkeys(("log", "log2", "log10", "log1p"), "Keep what it is given above 0: x.clamp(min=1e-6).log()."),
    **dict.fromkeys(("div", "true_divide", "reciprocal"), "Keep the divisor away from 0: x / y.clamp(min=1e-6)."),
    **dict.fromkeys(("sqrt", "rsqrt", "pow"), "Keep what it is given above 0: (x + 1e-6).sqrt(), x.clamp(min=0)."),
    **dict.fromkeys(("acos", "asin", "atanh"), "Keep what it is given between -1 and 1: x.clamp(-0.999, 0.999)."),
    **dict.fromkeys(("mean", "var", "std"), "A mean of nothing is NaN, and so is the variance of one number."),
    **dict.fromkeys(("softmax", "_softmax", "log_softmax", "_log_softmax", "_safe_softmax"), _ROW_IS_MASKED),
    "scaled_dot_product_attention": _ROW_IS_MASKED,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Origin:
    """What an event says, in which call of the package, and whether that gave bad numbers too, or did not end."""

    event: Event
    call: Event | None
    nth: int
    shown: bool

    @property
    def place(self) -> Place | None:
        """The line of the node."""
        return next(iter(places(self.event.stacks)), None)

    @property
    def when(self) -> str:
        """In which call, as the beginning of a sentence."""
        return f"in call {self.nth} of the package " if self.nth > 1 else ""

    @property
    def sentence(self) -> str:
        """What the node does."""
        event = self.event
        given = f"is given {' and '.join(event.given)}, and " if event.given else ""
        masks = f" ({_at(event.masks[0])} masks with -inf)" if event.masks and _is_softmax(event.name) else ""
        return f"`{event.name}` {given}gives {event.bad}{masks}{self.keeps}"

    @property
    def keeps(self) -> str:
        """Where it stays, as the end of a sentence."""
        return f"; buffer {self.event.kept} keeps it for the calls after this one" if self.event.kept else ""


def origin(seen: Evidence) -> Origin | None:
    """The first fault of the exported program on the inputs of a call, of those that were noted."""
    bad = {(call.pid, call.number) for call in seen.bad_calls()}
    ended = {(event.pid, event.of) for event in seen.events if event.event == "returned" and event.what == "call"}
    calls = {(event.pid, event.number): event for event in seen.calls}
    for event in seen.events:
        if event.event == "origin" and event.kind != "mask":
            key = (event.pid, event.of)
            call = calls.get(key)
            before = [one for one in seen.calls if call and (one.pid, one.package) == (call.pid, call.package)]
            nth = before.index(call) + 1 if call is not None else 0
            # What a buffer keeps shows in a later call.
            return Origin(event, call, nth, key in bad or key not in ended or (bool(event.kept) and bool(bad)))
    return None


def by_origin(found: Origin) -> Culprit | None:
    """The culprit, where it is no kernel: an input, a weight, a custom operator, or who computed an index."""
    event = found.event
    call = found.call.place if found.call is not None else None
    if event.raised:
        return _index(found, call) if event.index is not None else None
    if event.kind == "op":
        return Culprit(kind="op", name=event.name, what=_said(found), sure=found.shown, place=found.place)
    if event.kind not in ("input", "weight"):
        return None
    taken = f", and {_at(event.taker)} takes it from there" if event.taker is not None and event.taker.stacks else ""
    if event.kind == "input":
        fix = "Look at what is sent: torch.isfinite(x).all() before the call; torch.nan_to_num where gaps are expected."
    else:
        fix = (
            "It was so when the program was exported: look at the checkpoint (or at what computes the buffer) with "
            "torch.isfinite, and export again."
        )
    sent = event.kind == "input"
    return Culprit(
        kind="input", name=event.name if sent else f"weight {event.name}", sure=found.shown, fix=fix,
        what=f"{found.when}it is {event.bad}{taken}{found.keeps}", place=call if sent else _place(event.taker),
    )  # fmt: skip


def as_code(found: Origin) -> Culprit | None:
    """The line itself, where no kernel has a name."""
    if found.event.kind != "node" or found.event.raised:
        return None
    spot = found.place
    name = spot.function if spot is not None and spot.function else found.event.name
    return Culprit(kind="code", name=name, what=_said(found), sure=found.shown, fix=fix(found), place=spot)


def refined(kernel: Culprit, found: Origin) -> Culprit:
    """A kernel with the line and the operator that made the first bad number, if that is one of those it was made
    from."""
    spot = found.place
    launch = kernel.launch
    if found.event.kind != "node" or found.event.raised or spot is None or launch is None:
        return kernel
    if not any((one.path, one.line) == (spot.path, spot.line) for one in launch.places):
        return kernel
    what = f"{kernel.what}: {found.sentence}"
    return kernel.model_copy(update={"place": spot, "what": what, "fix": kernel.fix or fix(found)})


def fix(found: Origin) -> str:
    """What to write instead."""
    event = found.event
    overflows = event.bad.startswith("float16") and "inf" in event.bad
    if overflows and not any("inf" in one or "NaN" in one for one in event.given):
        return f"float16 ends at {_HALF}: compute this in float32 or bfloat16, or scale it down before."
    return _FIXES.get(event.name.rstrip("_"), "")


def _index(found: Origin, call: Place | None) -> Culprit:
    event, index = found.event, found.event.index
    assert index is not None
    what = f"{_at(Node(name=event.name, stacks=event.stacks))} raises {event.type}: {event.message}"
    numbers = f"{found.when}it has {', '.join(index.given)}, and {what}"
    if index.kind == "input":
        fix = "Check the numbers before the call, or make the table large enough; the compiled code may not check them."
        return Culprit(kind="input", name=index.name, what=numbers, sure=found.shown, fix=fix, place=call)
    spot = _place(index)
    kind = index.kind
    name = (spot.function if spot is not None else "") or index.name
    return Culprit(
        kind="op" if kind == "op" else "input" if kind == "weight" else "code",
        name=index.name if kind == "op" else f"weight {index.name}" if kind == "weight" else name,
        what=f"{found.when}the index that `{index.name}` makes is {', '.join(index.given)}, and {what}"
        if kind != "weight" else numbers,
        sure=found.shown, place=spot or found.place,
        fix="Keep it inside: index.clamp(0, size - 1).",
    )  # fmt: skip


def _is_softmax(name: str) -> bool:
    return "softmax" in name or "attention" in name


def _said(found: Origin) -> str:
    return f"{found.when}{found.sentence}"


def _place(node: Node | None) -> Place | None:
    return next(iter(places(node.stacks)), None) if node is not None else None


def _at(node: Node) -> str:
    """A node with its line, in words."""
    spot = _place(node)
    return f"`{node.name}`" + (f" ({spot.path}:{spot.line})" if spot is not None else "")
