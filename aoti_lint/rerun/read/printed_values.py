"""Reads the values that the debug printer prints at level 2, and says which launch each belongs to.

A block begins with `[  before_launch - KERNEL - ARGUMENT  ]:` and has lines such as `Min value: 1` after the numbers
themselves (run on torch 2.13, CPU, and 2.11, H200). Others may print in between; a crash may cut the last block off.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from aoti_lint.rerun.result import Launch, Values
from aoti_lint.rerun.wrapper.launches import Program

_HEAD = re.compile(r"\[\s+(?P<when>before|after)_launch - (?P<kernel>\S+) - (?P<argument>\S+)\s+\]:")
_INPUT = re.compile(r"\[\s+aoti_model_inputs - (?P<argument>\S+)\s+\]:")
_LINE = re.compile(r"(?P<what>Dtype|Min value|Max value|Mean value|Device|Size): (?P<value>[^\n\\]+)")


@dataclass(slots=True)
class Block:
    """One printed tensor. `kernel` is empty for an input of the model."""

    kernel: str
    when: Literal["before", "after"]
    argument: str
    lines: dict[str, str] = field(default_factory=dict)

    def number(self, what: str) -> float | None:
        """A printed number; None if it was not printed."""
        try:
            return float(self.lines[what])
        except (KeyError, ValueError):
            return None

    def values(self, *, fresh: bool) -> Values:
        """What is known of it; `fresh` for memory that nothing had written."""
        numbers = {what: self.number(f"{what} value") for what in ("Min", "Max", "Mean")}
        known = [number for number in numbers.values() if number is not None]
        nan = any(math.isnan(number) for number in known)
        low, high = numbers["Min"], numbers["Max"]
        inf = any(number is not None and math.isinf(number) for number in (low, high))
        finite = {what: number for what, number in numbers.items() if number is not None and math.isfinite(number)}
        return Values(
            argument=self.argument, when=self.when, dtype=self.lines.get("Dtype", ""),
            shape=tuple(int(size) for size in re.findall(r"\d+", self.lines.get("Size", ""))),
            device=self.lines.get("Device", ""), low=finite.get("Min"), high=finite.get("Max"),
            mean=finite.get("Mean"), nan=None if nan else 0, inf=None if inf else 0,
            bad=(nan or inf) and not fresh, fresh=fresh, masked=inf and not nan and high != math.inf,
        )  # fmt: skip


@dataclass(slots=True)
class Seen:
    """A launch as it was printed: what it was given and what it left."""

    launch: Launch
    before: list[Values] = field(default_factory=list)
    after: list[Values] = field(default_factory=list)

    @property
    def values(self) -> tuple[Values, ...]:
        """All of it."""
        return (*self.before, *self.after)

    def given(self) -> list[Values]:
        """What is bad in what it reads."""
        return [value for value in self.before if value.bad and value.argument in self.launch.reads]

    def left(self) -> list[Values]:
        """What is bad in what it wrote."""
        writes = self.launch.writes
        return [value for value in self.after if value.bad and (value.argument in writes or not writes)]


def blocks(lines: Iterable[str]) -> list[Block]:
    """The printed tensors of a log."""
    found: list[Block] = []
    for line in lines:
        if head := _HEAD.search(line):
            found.append(Block(head["kernel"], "before" if head["when"] == "before" else "after", head["argument"]))
        elif given := _INPUT.search(line):
            found.append(Block("", "before", given["argument"]))
        elif found and (part := _LINE.search(line)):
            found[-1].lines.setdefault(part["what"], part["value"].strip())
    return found


def by_call(found: Sequence[Block]) -> list[list[Block]]:
    """The printed tensors of each call of a model, whichever: what it was given is printed first."""
    made: list[list[Block]] = []
    for number, block in enumerate(found):
        if not number or (not block.kernel and found[number - 1].kernel):
            made.append([])
        made[-1].append(block)
    return made


def calls(found: Sequence[Block], program: Program) -> list[list[Seen]]:
    """The launches that were printed, call by call of the model.

    A kernel that is launched twice is told by the order of the launches in the source. What is no kernel of `program`
    is left out.
    """
    numbers = {launch.name: [other.number for other in program.named(launch.name)] for launch in program.launches}
    made: list[list[Seen]] = [[]]
    written: set[str] = set(program.given)
    open_: Seen | None = None
    for block in found:
        if block.kernel not in numbers:
            if not block.kernel and made[-1]:
                made.append([])
                written, open_ = set(program.given), None
            continue
        new = open_ is None or open_.launch.name != block.kernel or (block.when == "before" and open_.after)
        if new:
            last = made[-1][-1].launch.number if made[-1] else 0
            number = next((number for number in numbers[block.kernel] if number > last), None)
            if number is None:
                made.append([])
                written = set(program.given)
                number = numbers[block.kernel][0]
            open_ = Seen(program.launches[number - 1])
            made[-1].append(open_)
        assert open_ is not None
        reads, number = open_.launch.reads, open_.launch.number
        unread = block.argument not in written and block.argument not in reads
        fresh = block.when == "before" and (unread or program.unwritten(block.argument, number))
        (open_.before if block.when == "before" else open_.after).append(block.values(fresh=fresh))
        if block.when == "after":
            written.add(block.argument)
    return [call for call in made if call]
