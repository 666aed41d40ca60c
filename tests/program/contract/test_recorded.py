"""The generated validators against what torch did: no right call rejected, every silently wrong one caught.

`record.py` wrote down the outcome of every call. Some right calls are rejected all the same, for reasons that only the
code of the package could overrule; they are counted, and each kind is named in `MEANT`.
"""

from __future__ import annotations

import collections
import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.program import facts
from aoti_lint.program.contract.build import build
from aoti_lint.program.contract.model import Contract
from aoti_lint.program.contract.python_source import python_source
from tests.program.contract.calls import arguments

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.json"))
Point = collections.namedtuple("Point", ["px", "py"])


@dataclasses.dataclass
class Pair:
    left: Any
    right: Any


TYPES = {"Point": Point, "Pair": Pair}

MEANT = {
    "strides": r"has the strides",
    "rank": r"has \d+ dims",
    "dtype": r" is \w+; this model takes \w+$",
    "none": r"was fixed to None",
    "nesting": r"this model takes an object with the fields|has its keys in the order",
}
"""Why a right call is rejected: what torch happens to read right here, and would not in another model."""


def load(path: Path) -> dict[str, Any]:
    """A recording."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def contract(recording: dict[str, Any]) -> Contract:
    """The contract of the recorded model."""
    return build(facts.Package(**recording["package"]), facts.Program(**recording["program"]))


def verdict(module: dict[str, Any], call: Any) -> list[str]:
    """What the validator says of a call."""
    args, kwargs = arguments(call, lambda looks: looks, TYPES)
    try:
        problems: list[str] = module["violations"](*args, **kwargs)
    except TypeError as error:
        # Python itself tells of a missing or unknown argument.
        return [str(error)]
    return problems


def kinds(problems: list[str]) -> str | None:
    """The one kind of problem that all are of; None if there are others."""
    found = {next((kind for kind, text in MEANT.items() if re.search(text, item)), None) for item in problems}
    return " and ".join(sorted(map(str, found))) if None not in found else None


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_no_right_call_is_rejected_and_every_wrong_one_is_caught(path: Path) -> None:
    recording = load(path)
    assert len(recording["calls"]) >= 1000
    module: dict[str, Any] = {}
    exec(python_source(contract(recording), "model.pt2 and ep.pt2"), module)
    missed, rejected, undecided = [], [], collections.Counter[str]()
    for outcome, call in recording["calls"]:
        problems = verdict(module, call)
        if outcome == "wrong" and not problems:
            missed.append(call)
        if outcome == "right" and problems:
            kind = kinds(problems)
            if kind is None:
                rejected.append((call, problems))
            else:
                undecided[kind] += 1
    assert not missed
    assert not rejected
    assert dict(undecided) == UNDECIDED.get(path.stem, {})


UNDECIDED: dict[str, dict[str, int]] = {}
"""Right calls that are rejected, by model and reason."""
