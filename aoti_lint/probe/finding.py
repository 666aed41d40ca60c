"""What the probe says of an operator. Nothing here needs torch, or anything else that is installed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RULES = {
    "AOTI401": "custom-op-without-fake",
    "AOTI402": "fake-specialises-a-size",
    "AOTI403": "fake-reads-data",
    "AOTI404": "fake-wrong-size",
    "AOTI405": "fake-wrong-dtype",
    "AOTI406": "fake-wrong-device",
    "AOTI407": "fake-wrong-outputs",
    "AOTI408": "fake-returns-input",
    "AOTI409": "fake-misses-dynamic-size",
    "AOTI410": "fake-parameters",
    "AOTI412": "op-returns-input",
    "AOTI413": "undeclared-mutation",
    "AOTI422": "fake-wrong-strides",
}
"""The rules that find the same in the source, by code."""

Level = Literal["fault", "note"]


@dataclass(frozen=True)
class Place:
    """A line of Python."""

    file: str
    line: int
    function: str = ""
    text: str = ""


@dataclass(frozen=True)
class Finding:
    """One thing that is so.

    `level`: a note is true, and wrong only for some callers or not at all. `rule`: the rule that finds the same in the
    source, if there is one. `inputs`: for which inputs it was seen.
    """

    level: Level
    rule: str | None
    text: str
    place: Place | None = None
    inputs: str = ""
