"""Makes a case that fails smaller, while it fails at the same place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.fuzz.case import Case, Fault
from tests.fuzz.watch import Subject

TRIES = 150
"""Runs that it may take. What hangs or fills the memory stays as it is: each of them takes long."""


def minimised(case: Case, fault: Fault, subject: Subject) -> Case:
    """The smallest found."""
    left = 0 if fault.what in ("hang", "memory") else TRIES
    again = True
    while again and left > 0:
        again = False
        for smaller in _smaller(case):
            left -= 1
            if any((one.what, one.place) == (fault.what, fault.place) for one in subject.run(smaller).faults):
                case, again = smaller, True
                break
            if left <= 0:
                break
    return case


def _smaller(case: Case) -> Iterator[Case]:
    """Without a file, or without a part of one: the largest first."""
    for name in sorted(case.files, key=lambda name: -len(case.files[name])):
        if len(case.files) > 1:
            yield replace(case, files={other: data for other, data in case.files.items() if other != name})
        if b"\0" in case.files[name]:
            # An archive: parts of it are none.
            continue
        lines = case.files[name].split(b"\n")
        size = len(lines) // 2
        while size:
            for at in range(0, len(lines), size):
                yield replace(case, files={**case.files, name: b"\n".join(lines[:at] + lines[at + size :])})
            size //= 2
