"""What must not be is noticed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fuzz.case import OUT, Case, Fault
from tests.fuzz.minimise import minimised
from tests.fuzz.schema import wrong
from tests.fuzz.watch import Subject

BROKEN = "tests.fuzz.broken"


def case(*words: str) -> Case:
    return Case("test", {"script.py": b"x = 1\n", "other/x.txt": b""}, [list(words)])


@pytest.fixture(scope="module")
def subject() -> Iterator[Subject]:
    with Subject(runs=BROKEN) as made:
        yield made


@pytest.mark.parametrize(
    ("words", "what", "place"),
    [
        (["raises"], "traceback", "RuntimeError in "),
        (["crashes"], "crash", ""),
        (["allocates"], "memory", "test"),
        (["exits with 3"], "exit code", "3"),
        (["writes"], "escape", "changed /tree/script.py"),
        (["renames away", f"{OUT}/x"], "escape", "os.rename script.py"),
        (["starts"], "escape", "subprocess.Popen"),
        (["runs the tree"], "escape", "exec of code of the tree"),
        (["prints", "--output-format", "json", "{"], "json", "prints"),
        (["prints", "--output-format", "json", "NaN"], "json", "prints"),
    ],
)
def test_a_fault_is_noticed(subject: Subject, words: list[str], what: str, place: str) -> None:
    faults = subject.run(case(*words)).faults
    assert [fault.what for fault in faults][:1] == [what]
    assert faults[0].place.startswith(place)


@pytest.mark.parametrize("word", ["spins", "waits"])
def test_what_does_not_end_is_ended(word: str) -> None:
    with Subject(seconds=1.0, waiting=1.0, runs=BROKEN) as subject:
        assert [fault.what for fault in subject.run(case(word)).faults] == ["hang"]


def test_the_same_is_no_fault(subject: Subject) -> None:
    outcome = subject.run(case("writes where it may", f"{OUT}/report"), twice=True)
    assert not outcome.faults
    assert outcome.answers == [(0, "", "")]


def test_state_is_noticed(subject: Subject) -> None:
    assert [fault.what for fault in subject.run(case("remembers"), twice=True).faults] == ["differs"]


def test_the_order_of_sets_is_noticed(subject: Subject) -> None:
    with Subject(forks=True, seed=1, runs=BROKEN) as fresh:
        first, second = subject.run(case("is hashed")), fresh.run(case("is hashed"))
    assert first.answers != second.answers


def test_a_case_is_made_smaller(subject: Subject) -> None:
    small = minimised(case("raises"), Fault("traceback", subject.run(case("raises")).faults[0].place, ""), subject)
    assert sum(map(len, small.files.values())) == 0


def test_a_case_is_kept_as_it_is() -> None:
    one = Case("test", {"a.py": b"\xff\x00", "b": "é".encode()}, [["check", "."]], b"x", {"l": "a.py"}, ("f",))
    assert Case.from_json(one.to_json()) == one


@pytest.mark.parametrize(
    ("value", "schema", "fits"),
    [
        ({"a": 1}, {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}, True),
        ({}, {"type": "object", "required": ["a"]}, False),
        ({"a": True}, {"properties": {"a": {"type": "integer"}}}, False),
        ({"b": 1}, {"additionalProperties": False}, False),
        ({"b": "x"}, {"additionalProperties": {"type": "integer"}}, False),
        ([1, "x"], {"prefixItems": [{"type": "integer"}, {"type": "integer"}]}, False),
        ([1], {"minItems": 2}, False),
        (None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}, True),
        ("x", {"anyOf": [{"type": "integer"}, {"enum": ["y"]}]}, False),
        ("x", {"$ref": "#/$defs/y", "$defs": {"y": {"const": "y"}}}, False),
        (0, {"minimum": 1}, False),
    ],
)
def test_the_schema_is_heeded(value: object, schema: dict[str, object], fits: bool) -> None:
    assert (wrong(value, schema) is None) is fits
