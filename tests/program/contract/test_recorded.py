"""The generated validators against what torch did: no right call rejected, every silently wrong one caught.

`record.py` wrote down the outcome of every call. Some right calls are rejected all the same, for reasons that only the
code of the package could overrule; they are counted, and each kind is named in `MEANT`.
"""

from __future__ import annotations

import collections
import dataclasses
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from aoti_lint.program import facts
from aoti_lint.program.contract.build import build
from aoti_lint.program.contract.cpp_source import cpp_source
from aoti_lint.program.contract.model import Contract
from aoti_lint.program.contract.python_source import python_source
from tests.program.contract.calls import Looks, arguments, flat, show

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.json"))
Point = collections.namedtuple("Point", ["px", "py"])


@dataclasses.dataclass
class Pair:
    left: Any
    right: Any


TYPES = {"Point": Point, "Pair": Pair}

MEANT = {
    "strides": r"has the strides",
    "device": r" is on \w+; this model takes it on ",
    "rank": r"has \d+ dims",
    "dtype": r" is \w+; this model takes \w+$",
    "none": r"was fixed to None",
    "nesting": r"this model takes an object with the fields|has its keys in the order",
}
"""Why a right call is rejected: what torch happens to read right here, and would not in another model."""


UNDECIDED = {
    "attention": {"dtype": 14, "strides": 62},
    "conv": {"device": 2, "strides": 82},
    "differences": {"dtype": 4, "rank": 5, "strides": 4},
    "double": {"dtype": 2},
    "either": {"dtype": 3, "rank": 1},
    "empty": {"dtype": 50},
    "first_two": {"dtype and strides": 1},
    "flat": {"dtype": 6, "dtype and rank": 1, "rank": 12},
    "frozen": {"dtype": 1, "none": 100},
    "guards": {"dtype": 2, "strides": 1},
    "next": {"dtype": 2},
    "plane": {"dtype": 7},
    "quarters": {"rank": 10},
    "range": {"dtype": 4},
    "relation": {"dtype": 2},
    "shared": {"dtype": 2},
}
"""How many, by model. Most are empty tensors of another dtype, and a frozen None, which `ep.module()` does not test."""


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


def held_against(recording: dict[str, Any]) -> dict[str, int]:
    """Hold a validator against a recording; gives how many right calls are rejected, by the kinds that are meant."""
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
    return dict(undecided)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_no_right_call_is_rejected_and_every_wrong_one_is_caught(path: Path) -> None:
    recording = load(path)
    assert len(recording["calls"]) >= 1000
    assert held_against(recording) == UNDECIDED.get(path.stem, {})


THREE = re.compile(r"this model takes 3 or more")
"""A package says this where every size is taken to be 2 or more and 2 itself is excluded; or its user asked for it."""


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_package_alone_rejects_no_right_call_either(path: Path) -> None:
    recording = load(path)
    package = facts.Package(**recording["package"])
    known = build(package, None)
    module: dict[str, Any] = {}
    exec(python_source(known, "model.pt2"), module)
    one_after_the_other = known.positional[:1] and known.positional[0].path == "input_0"
    keywords = [node.path for node in contract(recording).keyword]
    rejected = []
    for outcome, call in recording["calls"]:
        if outcome == "right":
            given = {"args": list(map(show, flat(call, keywords)))} if one_after_the_other else call
            problems = [item for item in verdict(module, given) if not THREE.search(item)]
            if problems and kinds(problems) is None:
                rejected.append((call, problems))
    assert not rejected


PYTHON_ONLY = re.compile(
    r" has the keys | has its keys | items; this model| takes an? \w+ |was fixed to .* the package ignores|argument"
)
"""Problems that a flat list of tensors does not have."""

MAIN = """
#include <iostream>
#include <sstream>

template <typename Input>
std::vector<Input> inputs_of(const std::string& line) {
  std::istringstream in(line);
  size_t count = 0;
  in >> count;
  std::vector<Input> inputs(count);
  for (auto& input : inputs) {
    size_t rank = 0;
    in >> input.dtype >> input.device >> rank;
    input.sizes.resize(rank);
    input.strides.resize(rank);
    for (auto& size : input.sizes) in >> size;
    for (auto& stride : input.strides) in >> stride;
  }
  return inputs;
}

int main() {
  std::string model, line;
  while (std::getline(std::cin, model) && std::getline(std::cin, line)) {
    std::vector<std::string> problems;
@CASES@
    std::cout << problems.size() << "\\n";
    for (const auto& problem : problems) std::cout << problem << "\\n";
  }
}
"""


def row(tensors: list[Looks]) -> str:
    """A call as the C++ program reads it."""
    words = [str(len(tensors))]
    for tensor in tensors:
        words += [tensor.dtype, tensor.device, str(len(tensor.shape)), *map(str, tensor.shape + tensor.strides)]
    return " ".join(words)


@pytest.mark.skipif(shutil.which("g++") is None, reason="needs a C++ compiler")
def test_the_header_says_the_same_of_every_call(tmp_path: Path) -> None:
    recordings = [load(path) for path in RECORDED]
    cases = []
    for recording in recordings:
        name = f"model_{recording['model']}"
        (tmp_path / f"{name}.hpp").write_text(cpp_source(contract(recording), "model.pt2", name), encoding="utf-8")
        cases.append(f'    if (model == "{name}") problems = {name}::violations(inputs_of<{name}::Input>(line));')
    includes = "".join(f'#include "model_{recording["model"]}.hpp"\n' for recording in recordings)
    (tmp_path / "main.cpp").write_text(includes + MAIN.replace("@CASES@", "\n".join(cases)), encoding="utf-8")
    flags = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["g++", *flags, "main.cpp", "-o", "main"], cwd=tmp_path, check=True)
    lines, expected = [], []
    for recording in recordings:
        known = contract(recording)
        module: dict[str, Any] = {}
        exec(python_source(known, "model.pt2"), module)
        for _, call in recording["calls"]:
            problems = verdict(module, call)
            if not any(map(PYTHON_ONLY.search, problems)):
                lines += [f"model_{recording['model']}", row(flat(call, [node.path for node in known.keyword]))]
                expected += [str(len(problems)), *problems]
    assert len(lines) > 2 * 10_000
    done = subprocess.run([tmp_path / "main"], input="\n".join(lines), capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == expected
