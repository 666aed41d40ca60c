"""An index out of bounds: the kernel that looks it up, the tensor it lies in, and who is to blame for it.

Inductor writes a check before every lookup whose index the data decides. It prints the same in both languages,
`index out of bounds: 0 <= tmp4 < 1000`: a C++ kernel as `AOTI_TORCH_CHECK` (torch 2.13, CPU), a Triton kernel as
`tl.device_assert`, with the file and line of the kernel before it (torch 2.11, H200). `tmp4` leads back, through the
assignments of the kernel, to the tensor it was read from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from aoti_lint.rerun.judge.autotuning import values_of
from aoti_lint.rerun.judge.reading import Reading
from aoti_lint.rerun.named_files import text_of
from aoti_lint.rerun.read.events import Event
from aoti_lint.rerun.read.evidence import Evidence
from aoti_lint.rerun.result import Culprit, Launch, Place
from aoti_lint.rerun.wrapper.launches import Program, places
from aoti_lint.triage.log import clean

CAUSE: Final = "index-out-of-bounds"
CHECKED: Final = re.compile(
    r"(?:(?P<path>/\S+\.py):\d+: .*Assertion `|what\(\):\s+|Error: |^)"
    r"(?P<check>index out of bounds: 0 <= (?P<name>tmp\d+) < (?P<size>[\w*]+))"
)
"""What is raised, and not the source that a log may have, too."""
_TRITON: Final = re.compile(r"^def (?P<name>\w+)\((?P<parameters>[^)]*)\)", re.M)
_POINTER: Final = re.compile(r"\b((?:in|out|in_out)_ptr\d+)\b")
_NAME: Final = re.compile(r"\btmp\d+\b")
_COMPUTES: Final = re.compile(r"[*/%-]|\.(?!to\()[a-z_]+\(|\b(?:libdevice|std)\b|tl_math")
_PASSES: Final = re.compile(r"<[^<>]*>|\[[^\]]*\]|\btl\.\w+\(")
"""What says nothing of a computation: types of templates, shapes, and functions that make constants or choose."""
_INTEGERS: Final = re.compile(r"u?int|[iu]\d+$|long|bool")
FIX: Final = (
    "Check it before the call: 0 <= {name} < {size}. The usual reasons: a table that is too small for the data, or "
    "indices that count from 1."
)
BOUND: Final = "Bound the index in the model (`% size`, `clamp`), or look at what it is computed from."


@dataclass(frozen=True, slots=True)
class Lookup:
    """A check that failed: the size, the kernel's name and launches, and the tensors that its index is read from.

    `computes` says whether the kernel computes the index from what it reads.
    """

    size: str
    kernel: str
    launches: tuple[Launch, ...]
    tensors: frozenset[str]
    computes: bool


def by_bounds(reading: Reading, seen: Evidence) -> list[Culprit]:
    """The input that has the index in it, or else the kernel that looks it up; none if that is not certain."""
    found = next((match for line in seen.lines if (match := CHECKED.search(clean(line)))), None)
    if found is None or not seen.failed:
        return []
    lookup = _of_triton(found, reading.program) if found["path"] else _of_cpp(found, reading.program)
    if lookup is None:
        return []
    return _of_input(lookup, reading, seen) or [_of_kernel(lookup, reading.program, seen)]


def _of_triton(found: re.Match[str], program: Program) -> Lookup | None:
    """The lookup in the file of a Triton kernel; None if the file is not there any more."""
    source = text_of(found["path"])
    kernel = _TRITON.search(source)
    if kernel is None:
        return None
    pointers, computes = origin(source, found["name"], found["check"], found["size"])
    given = [name for name in re.findall(r"\w*ptr\d+", kernel["parameters"]) if not name.startswith("out")]
    return _lookup(found, kernel["name"], program, given, pointers, computes)


def _of_cpp(found: re.Match[str], program: Program) -> Lookup | None:
    """The lookup in the one C++ kernel that has this check; None if there are others."""
    check = f'"{found["check"]}"'
    sources = {launch.name: launch.source for launch in program.launches if check in launch.source}
    if len(sources) != 1:
        return None
    ((name, source),) = sources.items()
    pointers, computes = origin(source, found["name"], check, found["size"].rstrip("L"))
    parameters = source[: source.index(")")]
    constant = re.findall(r"\bconst [\w:]+ ?\* ?(\w+)", parameters)
    given = [*constant, *(one for one in re.findall(r"\bin_out_ptr\d+\b", parameters) if one not in constant)]
    return _lookup(found, name, program, given, pointers, computes)


def origin(source: str, name: str, check: str, size: str) -> tuple[frozenset[str], bool]:
    """The pointers that the variable `name` of a kernel is read from where it is checked, and whether something else is
    computed from it on the way. An index that counts from the end is not: `size` is added to it where it is negative.
    """
    found: set[str] = set()
    computes = False
    for place in re.finditer(re.escape(check), source):
        todo, done = [(name, place.start())], set()
        while todo:
            one = todo.pop()
            if one in done or (value := _assigned(source, *one)) is None:
                continue
            done.add(one)
            text, above = value
            if pointers := _POINTER.findall(text):
                found.add(pointers[0])
                computes = computes or not _whole(source, pointers[0])
                continue
            if "\n" not in text:
                bare = _PASSES.sub("", text)
                numbers = {found.rstrip("L") for found in re.findall(r"\b\d[\w.]*", bare)}
                computes = computes or _COMPUTES.search(bare) is not None or not numbers <= {"0", size}
            todo += [(other, above) for other in _NAME.findall(text)]
    return frozenset(found), computes


def _assigned(source: str, name: str, before: int) -> tuple[str, int] | None:
    """What a variable is there, and where that stands: in the assignment above, as loops use names again. A vector
    that is copied to memory has lines of its own."""
    pattern = rf"^[ \t]*(?:auto )?{name} =(?:[ \t]+([^\n]+)|[ \t]*\n([\s\S]*?)^[ \t]*;[ \t]*$)"
    found = list(re.finditer(pattern, source[:before], re.M))
    return (found[-1][1] or f"\n{found[-1][2]}", found[-1].start()) if found else None


def _whole(source: str, pointer: str) -> bool:
    """Whether a pointer is to whole numbers: `const int64_t* in_ptr0` in C++, `'in_ptr0': '*i64'` in Triton."""
    declared = re.search(rf"(?:\b([\w:]+) ?\* ?{pointer}\b|'{pointer}': '\*(\w+)')", source)
    return declared is None or _INTEGERS.match(declared[1] or declared[2]) is not None


def _lookup(
    found: re.Match[str], kernel: str, program: Program, given: Sequence[str], pointers: frozenset[str], computes: bool
) -> Lookup:
    """With the tensors that a kernel is given where it calls them by the names of `pointers`."""
    launches = program.named(kernel)
    tensors = {
        launch.reads[given.index(pointer)]
        for launch in launches
        for pointer in pointers
        if pointer in given and given.index(pointer) < len(launch.reads)
    }
    return Lookup(found["size"].rstrip("L"), kernel, tuple(launches), frozenset(tensors), computes)


def _of_input(lookup: Lookup, reading: Reading, seen: Evidence) -> list[Culprit]:
    """The input that the index is read from, if its numbers do not speak against it."""
    if lookup.computes or len(lookup.tensors) != 1 or len(lookup.launches) != 1:
        return []
    (tensor,) = lookup.tensors
    if tensor not in reading.program.inputs:
        return []
    number = reading.program.inputs.index(tensor)
    call = seen.called
    tensors = [leaf for leaf in call.inputs if leaf.kind == "tensor"] if call is not None else []
    leaf = tensors[number] if len(tensors) == len(reading.program.inputs) else None
    has, size = "it has indices", int(lookup.size) if lookup.size.isdecimal() else None
    if leaf is not None and leaf.low is not None and leaf.high is not None:
        if size is not None and -size <= leaf.low and leaf.high < size:
            return []
        has = f"it goes from {leaf.low} to {leaf.high}"
    names = reading.inputs()
    name = names[number] if number < len(names) else tensor
    launch = _nearest(lookup.launches[0], name)
    return [
        Culprit(
            kind="input", name=tensor, sure=True, place=call.place if call is not None else None, chain=(launch,),
            what=f"{_title(seen)}{has}, and {lookup.kernel} uses it in a dimension of size {lookup.size}",
            values=(values_of(leaf).model_copy(update={"argument": name, "nan": 0, "inf": 0}),) if leaf else (),
            fix=FIX.format(name=name, size=lookup.size),
        )
    ]  # fmt: skip


def _of_kernel(lookup: Lookup, program: Program, seen: Evidence) -> Culprit:
    """The kernel, whose index an earlier one made, or it made itself."""
    launch = next(iter(lookup.launches), None) if len(lookup.launches) == 1 else None
    tensor = next(iter(lookup.tensors), "") if len(lookup.tensors) == 1 else ""
    made = program.producer(tensor, launch.number) if launch is not None and tensor else None
    whose = "that it computes" if lookup.computes else f"that {made.name} made" if made is not None else "it is given"
    return Culprit(
        kind="kernel", name=lookup.kernel, sure=True, launch=launch, fix=BOUND,
        place=next(iter(_lines(lookup, seen.events)), None),
        what=f"{_title(seen)}the index {whose} does not fit a dimension of size {lookup.size}",
    )  # fmt: skip


def _title(seen: Evidence) -> str:
    """What `triage` calls it."""
    return next((f"{one.cause.title}: " for one in seen.found.causes if one.cause.name == CAUSE), "")


def _lines(lookup: Lookup, events: Sequence[Event]) -> list[Place]:
    """The lines that the kernel was made from: of its launch, or as they were noted while it was tried."""
    if lookup.launches:
        return [place for launch in lookup.launches for place in launch.places]
    return [place for event in events if event.name == lookup.kernel for place in places(event.stacks)]


def _nearest(launch: Launch, name: str) -> Launch:
    """The launch with the lines first that say the name of an input."""
    word = re.compile(rf"\b{re.escape(re.split(r'[^A-Za-z0-9_]', name)[-1] or name)}\b")
    spots = sorted(launch.places, key=lambda place: word.search(place.text) is None)
    return launch.model_copy(update={"places": tuple(spots)})
