"""Compares what a script did with the events the interpreter has for it."""

from __future__ import annotations

from typing import Any

from aoti_lint.diagnostics import Span
from aoti_lint.machine.facts import Facts
from aoti_lint.values.events.event import Event
from aoti_lint.values.events.exports import ExportEvent
from aoti_lint.values.events.ops import OpDefinition, OpImpl
from aoti_lint.values.events.packages import CallEvent, CompileEvent, LoadEvent, SaveEvent
from aoti_lint.values.torch_values import Loaded, Package, Program, ProgramModule
from aoti_lint.values.values import NONE, Choice, Value
from tests.oracle.contains import device_misses, is_definite, misses, model_misses

KINDS: dict[str, type[Event]] = {
    "export": ExportEvent,
    "compile": CompileEvent,
    "load": LoadEvent,
    "call": CallEvent,
    "save": SaveEvent,
    "op": OpDefinition,
    "fake": OpImpl,
}
"""The calls that have an event."""


class Judge:
    """Compares the records of one script with the events of its analysis."""

    def __init__(self, facts: Facts, records: list[dict[str, Any]]) -> None:
        self.facts = facts
        self.records = records

    def verdict(self) -> tuple[list[str], list[str]]:
        """Calls whose values do not lie in those of any event on their row, and calls that have no event."""
        wrong, unseen = [], []
        for record in self.records:
            if record["call"] not in KINDS:
                continue
            place = f"{record['path']}:{record['row']} {record['call']}"
            answers = [self.misses(event, record) for event in self.of(record)]
            if not answers:
                unseen.append(place)
            elif closest := min(answers, key=len):
                wrong.append(f"{place}: {'; '.join(closest)}")
        return wrong, unseen

    def row(self, span: Span) -> int:
        source = self.facts.project.source(span.path)
        assert source is not None
        return int(source.lines.position(span.start)[0])

    def definite(self) -> tuple[int, int]:
        """How many calls have an event that knows its inputs, paths and devices altogether, and how many there are."""
        records = [record for record in self.records if record["call"] in KINDS]
        return sum(any(_is_definite(event) for event in self.of(record)) for record in records), len(records)

    def of(self, record: dict[str, Any]) -> list[Event]:
        """The events that could be the recorded call: on its row, and reached by the same calls if there are such."""
        found = [
            event
            for event in self.facts.of(KINDS[record["call"]])
            if event.span.path == record["path"]
            and self.row(event.span) == record["row"]
            and not (record["call"] == "fake" and not getattr(event, "is_fake", False))
        ]
        same = [event for event in found if [[span.path, self.row(span)] for span in event.chain] == record["chain"]]
        return same or found

    def misses(self, event: Event, record: dict[str, Any]) -> list[str]:
        """Why the event does not contain the record."""
        given = record["facts"]
        match event:
            case ExportEvent(program=program):
                return self.export(program, given)
            case CompileEvent(package=package):
                return self.compile(package, given)
            case LoadEvent(loaded=loaded):
                return self.load(loaded, given)
            case CallEvent():
                return self.call(event, given)
            case SaveEvent(program=program, file=file):
                return self.origin(program, given["program"], "program") + self.file(file, given["file"])
            case OpDefinition(op=op) | OpImpl(op=op):
                return misses(op, {"is": "str", "value": given["op"]}, "op")
        raise AssertionError(event)

    def export(self, value: Value, given: dict[str, Any]) -> list[str]:
        match value:
            case Choice(_, then, other):
                return min(self.export(then, given), self.export(other, given), key=len)
            case Program():
                pass
            case _:
                return []
        model = given["model"]
        found = model_misses(value.model, model, "model")
        found += misses(value.args, given["args"], "args") + misses(value.kwargs, given["kwargs"], "kwargs")
        found += misses(value.spec, given["shapes"], "dynamic_shapes")
        # not given: the default depends on the version of torch, and is left to the rules
        if "strict" in given and value.strict != NONE:
            found += misses(value.strict, {"is": "bool", "value": given["strict"]}, "strict")
        places = model["devices"] or _devices([given["args"], given["kwargs"]])
        if len(places) == 1:
            found += device_misses(value.device, places, "device")
        return found

    def compile(self, value: Value, given: dict[str, Any]) -> list[str]:
        if not isinstance(value, Package):
            return []
        found = self.file(value.file, given["file"]) if "file" in given else []
        if given["api"] == "torch._export.aot_compile":
            return found + self.export(value.program, given)
        return found + self.origin(value.program, given.get("program"), "program")

    def load(self, value: Value, given: dict[str, Any]) -> list[str]:
        if not isinstance(value, Loaded):
            return []
        found = self.file(value.file, given["file"])
        if "device" in given and value.device is not None:
            found += device_misses(value.device, [given["device"].split(":")[0]], "device")
        if value.package is not None:
            found += self.origin(value.package, given.get("compiled"), "package")
        return found

    def call(self, event: CallEvent, given: dict[str, Any]) -> list[str]:
        found = []
        match event.target:
            case Loaded(package=Package() | Choice() as package):
                wanted = given.get("compiled")
                found += (
                    self.origin(package, wanted, "target") if given["target"] == "loaded" else ["target: a program"]
                )
            case ProgramModule(program=Program() | Choice() as program):
                wanted = given.get("program")
                found += self.origin(program, wanted, "target") if given["target"] == "program" else ["target: loaded"]
        if event.open:
            return found
        args = given["args"]["items"]
        if len(args) != len(event.args):
            return [*found, f"args: {len(args)} are not {len(event.args)}"]
        for index, (value, real) in enumerate(zip(event.args, args, strict=True)):
            found += misses(value, real, f"args[{index}]")
        kwargs = dict(zip(given["kwargs"]["keys"], given["kwargs"]["values"], strict=True))
        if set(kwargs) != set(event.kwargs):
            return [*found, f"kwargs: {sorted(kwargs)} are not {sorted(event.kwargs)}"]
        return found + [reason for key, real in kwargs.items() for reason in misses(event.kwargs[key], real, key)]

    def file(self, value: Value, given: dict[str, Any]) -> list[str]:
        """A path; nothing is said of one that torch chose, or of a buffer."""
        return [] if given["is"] in ("cache", "buffer") else misses(value, given, "file")

    def origin(self, value: Value, number: int | None, where: str) -> list[str]:
        """Whether a program or package was made by the recorded call of that number."""
        match value:
            case Choice(_, then, other):
                return min(self.origin(then, number, where), self.origin(other, number, where), key=len)
            case Program(span=span) | Package(span=span) if number is not None:
                made = self.records[number]
                here = f"{span.path}:{self.row(span)}"
                there = f"{made['path']}:{made['row']}"
                return [] if here == there else [f"{where}: made at {there}, not at {here}"]
        return []


def _is_definite(event: Event) -> bool:
    match event:
        case ExportEvent(program=Program() as program):
            return all(map(is_definite, (program.args, program.kwargs, program.spec, program.device)))
        case CompileEvent(package=Package() as package):
            return is_definite(package.file) and is_definite(package.device)
        case LoadEvent(loaded=Loaded() as loaded):
            return is_definite(loaded.file)
        case CallEvent(target=target, args=args, kwargs=kwargs):
            return is_definite(target) and all(map(is_definite, (*args, *kwargs.values())))
        case OpDefinition(op=op) | OpImpl(op=op):
            return is_definite(op)
        case SaveEvent(program=program, file=file):
            return is_definite(program) and is_definite(file)
    return False


def _devices(values: list[Any]) -> list[str]:
    """The device types of the tensors inside described values."""
    found: set[str] = set()
    while values:
        value = values.pop()
        if value["is"] == "tensor":
            found.add(value["device"])
        values += value.get("items", []) + value.get("values", [])
    return sorted(found)
