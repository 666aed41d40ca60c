"""Who is suspected, by one kind of evidence at a time: a message, the kernel that did not end, values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from aoti_lint.rerun.read.events import Event
from aoti_lint.rerun.read.printed_values import Seen
from aoti_lint.rerun.result import Culprit, Launch, Place, Values, place_at
from aoti_lint.rerun.wrapper.launches import Program
from aoti_lint.triage.cause import Level
from aoti_lint.triage.diagnose import Diagnosis, Finding
from aoti_lint.triage.kernels import Kernels
from aoti_lint.triage.log import clean

Kind = Literal["kernel", "op", "input", "code", "package", "setting"]

FALSE_ALARMS = frozenset({"lower-bound-2"})
"""Causes that are no fault of the user's: the check refuses a size that the package would have taken."""
_KINDS: Mapping[str, Kind] = {
    "calls": "code", "compiling": "setting", "constants": "package", "data": "code", "devices": "package",
    "flags": "setting", "inputs": "input", "model": "code", "ops": "op", "package": "package", "shapes": "code",
}  # fmt: skip
_OP = re.compile(r"\b(?:torch\.ops\.)?([A-Za-z_]\w*)(?:::|\.)([A-Za-z_]\w*)(?:\.\w+)?")
_NAMED_OP = re.compile(
    r"(?:in op: |for |implementation in |calling |<CustomOpDef\()(?:\w+\()?(torch\.ops\.[\w.]+|\w+::\w+)"
)
_IN_OP = re.compile(r"Error in op: (\S+)")
_SIZES = re.compile(r"expected size (\d+)==(\d+), stride (\d+)==(\d+) at dim=(\d+)")
_DTYPE = re.compile(r"unmatched dtype, expected: \d+\(at::k\w+\), but got: (\d+)$")
_DTYPES = (
    "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "complex32", "complex64", "complex128",
    "bool",
)  # fmt: skip
"""What the numbers of dtypes in messages mean (`c10/core/ScalarType.h`)."""
_INPUT = re.compile(r"input_handles\[(\d+)\]")
_UNNAMED = re.compile(r"index out of bounds: 0 <= tmp|Assertion `")
"""Checks in kernels, which do not say whose index it was: the message alone points nowhere."""
_FLOATS = ("float", "bfloat", "half", "double", "complex")


def by_message(found: Diagnosis, failed: bool, lines: Sequence[str]) -> Culprit | None:
    """The cause that a log, of these lines, names, if a program failed."""
    named = _named(found)
    if not failed or not named:
        return None
    first = named[0]
    kind = "input" if first.cause.name == "input-on-other-device" else _KINDS.get(_family(first), "code")
    name = _name(kind, first)
    asserted = next((op[1] for line in lines[first.at : first.at + 2] if (op := _IN_OP.match(clean(line)))), None)
    if asserted == "input":
        # The check of sizes in a package (2.13) says so of inputs, and names the operator whose result it looks at.
        kind, name = "input", "inputs of one Dim"
    elif asserted is not None:
        return _other_size(op_name(asserted), first)
    return Culprit(
        kind=kind, name=name, what=f"{first.cause.title}: {first.text}{_got(first.text)}",
        sure=_UNNAMED.search(first.text) is None, fix=first.cause.fix, place=_place(first), rules=first.cause.rules,
    )  # fmt: skip


def first_cause(found: Diagnosis) -> str:
    """The name of the cause that a culprit is made from; empty without one."""
    return next((one.cause.name for one in _named(found)), "")


def _named(found: Diagnosis) -> list[Finding]:
    return [one for one in found.causes if one.cause.level is Level.CAUSE and one.cause.name not in FALSE_ALARMS]


def _other_size(op: str, one: Finding) -> Culprit:
    """An operator whose result has not the size that its fake promised."""
    dims = list(_SIZES.finditer(one.text))
    sizes = next((f": {dim[1]} in dimension {dim[5]}, and not {dim[2]}" for dim in dims if dim[1] != dim[2]), None)
    strides = (f": stride {dim[3]} in dimension {dim[5]}, and not {dim[4]}" for dim in dims if dim[3] != dim[4])
    sizes = sizes or next(strides, f": {one.text}")
    return Culprit(
        kind="op", name=op, what=f"its kernel gives another size or stride than its fake promised{sizes}", sure=True,
        fix="Let the fake compute the shape and strides that the kernel gives.",
        rules=("AOTI404", "AOTI422"),
    )  # fmt: skip


def false_alarm(found: Diagnosis) -> Finding | None:
    """What the check of the inputs says of a size that the package would take."""
    return next((one for one in found.causes if one.cause.name in FALSE_ALARMS), None)


def _got(text: str) -> str:
    """The dtype that a message has only the number of."""
    found = _DTYPE.search(text)
    number = int(found[1]) if found is not None else len(_DTYPES)
    return f" ({_DTYPES[number]})" if number < len(_DTYPES) else " (bfloat16)" if found and number == 15 else ""


def _family(one: Finding) -> str:
    from aoti_lint.triage.causes import FAMILIES

    return next((family.__name__.rpartition(".")[2] for family in FAMILIES if one.cause in family.CAUSES), "")


def _name(kind: Kind, one: Finding) -> str:
    if kind == "input" and (found := _INPUT.search(one.text)):
        return f"input {found[1]}"
    if kind == "op" and (op := _NAMED_OP.search(one.text) or re.search(r"\b(\w+::\w+)", one.text)):
        return op_name(op[1])
    return one.cause.name


def op_name(text: str) -> str:
    """`ns::op` from that or from `torch.ops.ns.op.overload`."""
    found = _OP.fullmatch(text)
    return f"{found[1]}::{found[2]}" if found is not None else text


def _place(one: Finding) -> Place | None:
    frame = one.frame
    if frame is None:
        return None
    return place_at(frame.path, frame.row, frame.function)


def by_kernels(kernels: Kernels, program: Program, how: str) -> list[Culprit]:
    """Who was running when the process ended: `how` it ended, in words, such as "the process crashed (SIGSEGV)"."""
    if kernels.unfinished is not None:
        launch = _launch(program, kernels, kernels.unfinished)
        what = f"it began and did not end: {how} in it"
        return [Culprit(kind="kernel", name=kernels.unfinished, what=what, sure=True, launch=launch)]
    if kernels.last is None:
        return []
    last = _launch(program, kernels, kernels.last)
    if last is None:
        return []
    silent: list[Launch] = []
    for launch in program.launches[last.number :]:
        if launch.kind != "op":
            break
        silent.append(launch)
    after = (
        f"{how} after {last.name} had ended and before the next kernel began: what runs between them is this operator"
    )
    return [Culprit(kind="op", name=launch.name, what=after, sure=len(silent) == 1, launch=launch) for launch in silent]


def _launch(program: Program, kernels: Kernels, name: str) -> Launch | None:
    """Which launch of a kernel it was: the one that as many before it make it."""
    known = program.named(name)
    if not known:
        return None
    begun = [kernel for kernel in kernels.begun if program.named(kernel)]
    return known[(begun.count(name) - 1) % len(known)]


@dataclass(slots=True)
class Chase:
    """How far bad values were followed back. `ask` are kernels whose values must be printed to go on."""

    culprit: Culprit | None = None
    chain: list[Seen] = field(default_factory=list)
    ask: tuple[str, ...] = ()


def first_bad(call: Sequence[Seen], *, masks: bool) -> Seen | None:
    """The first launch with bad values; with -inf alone only where there are no others, and `masks` count."""
    bad = [(seen, value) for seen in call for value in (*seen.given(), *seen.left())]
    others = [seen for seen, value in bad if not value.masked]
    return next(iter(others or [seen for seen, _ in bad if masks]), None)


def by_values(call: Sequence[Seen], program: Program, start: Launch | None = None, *, masks: bool = True) -> Chase:
    """Follow bad values back to who made them.

    From the launch `start`, or from the first that has any; `masks` says whether -inf alone counts. Without a culprit
    and without more to ask for, nothing bad was seen.
    """
    shown = {seen.launch.number: seen for seen in call}
    if start is not None and start.kind == "op":
        return _before_op(start, call, program)
    seen = shown.get(start.number) if start is not None else first_bad(call, masks=masks)
    chase = Chase(ask=(start.name,) if start is not None and seen is None else ())
    while seen is not None:
        chase.chain.append(seen)
        given = seen.given() or strange_indices(seen)
        if not given:
            if seen.left():
                chase.culprit = by_launch(seen)
            return chase
        at, value = seen.launch.number, given[0]
        producer = program.producer(value.argument, at)
        while producer is not None and producer.kind == "op":
            bad, unknown = _given(producer, call, program)
            if bad is None:
                chase.ask = unknown
                chase.culprit = _blamed_op(producer, value, call) if not unknown else None
                return chase
            at, value = producer.number, bad
            producer = program.producer(value.argument, at)
        if producer is None:
            chase.culprit = None if program.unwritten(value.argument, at) else _bad_input(value, program)
            return chase
        if producer.number not in shown:
            chase.ask = (producer.name,)
            return chase
        seen = shown[producer.number]
    return chase


def _before_op(op: Launch, call: Sequence[Seen], program: Program) -> Chase:
    """Follow back what an operator was given, which prints nothing itself."""
    bad, unknown = _given(op, call, program)
    if bad is None:
        return Chase(ask=unknown)
    producer = program.producer(bad.argument, op.number)
    if producer is None:
        return Chase(_bad_input(bad, program))
    return by_values(call, program, producer)


def by_launch(seen: Seen) -> Culprit:
    """A launch that makes bad values of good ones."""
    kind: Kind = "op" if seen.launch.kind == "op" else "kernel"
    what = "its inputs are good, and what it leaves is not"
    return Culprit(kind=kind, name=seen.launch.name, what=what, sure=True, launch=seen.launch, values=seen.values)


def _bad_input(value: Values, program: Program) -> Culprit:
    what = f"it is given to the package with {words(value)} in it"
    weight = value.argument in program.given and not value.argument.startswith("arg")
    return Culprit(
        kind="input",
        name=f"weight {value.argument}" if weight else value.argument,
        what=what,
        sure=True,
        values=(value,),
    )


def _given(op: Launch, call: Sequence[Seen], program: Program) -> tuple[Values | None, tuple[str, ...]]:
    """What bad thing an operator that prints nothing was given; if none is known, the kernels that made the rest."""
    known = known_before(op, call)
    bad = next((known[argument] for argument in op.reads if argument in known and known[argument].bad), None)
    producers = (program.producer(argument, op.number) for argument in op.reads if argument not in known)
    return bad, tuple(one.name for one in producers if one is not None and one.kind != "op")


def known_before(op: Launch, call: Sequence[Seen]) -> dict[str, Values]:
    """What was in each argument when it was printed last before an operator."""
    return {value.argument: value for seen in call if seen.launch.number < op.number for value in seen.values}


def _blamed_op(op: Launch, value: Values, call: Sequence[Seen]) -> Culprit:
    known = known_before(op, call)
    given = tuple(known[argument] for argument in op.reads if argument in known)
    what = f"what it was given is good, and what it left, {value.argument}, has {words(value)} in it"
    return Culprit(kind="op", name=op.name, what=what, sure=True, launch=op, values=(*given, value))


def words(value: Values) -> str:
    """What is wrong with a value."""
    return "NaN" if value.nan != 0 else "an infinity" if value.inf != 0 else "numbers that are no index"


def strange_indices(seen: Seen) -> list[Values]:
    """Whole numbers given to a launch that point outside of everything else it is given."""
    found = []
    for value in seen.before:
        if value.fresh or value.dtype.startswith(_FLOATS) or "bool" in value.dtype or value.high is None:
            continue
        others = [size for other in seen.before if other is not value for size in other.shape]
        if others and (value.high >= max(others) or (value.low is not None and value.low < -max(others))):
            found.append(value)
    return found


def by_events(events: Sequence[Event]) -> list[Culprit]:
    """Operators whose fake promised something else than their kernel gave, and those that write where they said that
    they only read."""
    found = [
        Culprit(
            kind="op", name=event.name, sure=True, what=f"its fake says {event.fake}, its kernel gives {event.kernel}",
            fix="Let the fake compute the shape, dtype and device that the kernel gives.",
            rules=("AOTI404", "AOTI405", "AOTI406"),
        )
        for event in events
        if event.event == "op-differs"
    ] + [
        Culprit(
            kind="op", name=event.name, sure=True, rules=("AOTI413",),
            what=f"its kernel changes its argument {event.text}, and its schema does not say so: compiled code goes on "
            "with the old numbers, or has them in the same memory as others",
            fix=f'Write to a copy ({event.text}.clone()), or say it: mutates_args=("{event.text}",), or Tensor(a!) in '
            "the schema.",
        )
        for event in events
        if event.event == "op-writes"
    ]  # fmt: skip
    return list({(one.name, one.what): one for one in found}.values())


def by_comparison(events: Sequence[Event]) -> list[Culprit]:
    """The package, where it gave something else than its program did for the same inputs."""
    for event in events:
        if event.differs:
            call = next((e for e in reversed(events) if e.event == "call" and e.time <= event.time), None)
            differs = (
                f"{event.differing} of {event.of_all} numbers" + (f", by up to {event.most:.3g}" if event.most else "")
                if event.of_all
                else f"{event.package} and not {event.program}"
            )
            what = f"output {event.output} is not what its program gives for the same inputs: {differs}"
            place = call.place if call is not None else None
            return [Culprit(kind="package", name="package", what=what, sure=True, place=place)]
    return []
