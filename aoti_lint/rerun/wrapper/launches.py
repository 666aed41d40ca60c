"""The launches of a compiled model in their order, from the source of its wrapper.

The debug printer says nothing of operators that are called through torch's dispatcher
(`aoti_torch_proxy_executor_call_function`): only the source tells what ran between two kernels.
`kernel_information.json`, which INDUCTOR_PROVENANCE=1 adds to a package, has the user's lines for each launch (run on
torch 2.13, CPU).

Source: `torch/_inductor/codegen/cpp_wrapper_cpu.py`, `cpp_wrapper_gpu.py`; packages written by 2.13 (CPU).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aoti_lint.rerun.result import Launch, Place
from aoti_lint.rerun.wrapper import statements
from aoti_lint.rerun.wrapper.calls import Call, Run
from aoti_lint.rerun.wrapper.errors import NoRepro
from aoti_lint.rerun.wrapper.package import models
from aoti_lint.triage.log import frames_in

_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
_GIVEN = re.compile(r"\((const )?[\w:]+(?: \w+)* ?\*\)\(?(\w+)\.data_ptr\(\)")


@dataclass(slots=True)
class Program:
    """The launches of one package, the names of its inputs in order, those of inputs and weights, and names that are
    other names' memory."""

    inputs: list[str] = field(default_factory=list)
    launches: list[Launch] = field(default_factory=list)
    given: set[str] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)

    def named(self, name: str) -> list[Launch]:
        """The launches of a kernel."""
        return [launch for launch in self.launches if launch.name == name]

    def producer(self, argument: str, before: int) -> Launch | None:
        """The last launch before number `before` that wrote an argument; None if it is an input, or nobody did."""
        while True:
            for launch in reversed(self.launches[: before - 1]):
                if argument in launch.writes:
                    return launch
            if argument not in self.aliases:
                return None
            argument = self.aliases[argument]

    def unwritten(self, argument: str, before: int) -> bool:
        """Whether an argument is memory that nothing has written before launch number `before`."""
        if self.producer(argument, before) is not None:
            return False
        while argument in self.aliases:
            argument = self.aliases[argument]
        return argument not in self.given

    def producers(self, launch: Launch, most: int) -> list[Launch]:
        """The launches that made what a launch was given, and what those were given, the nearest first."""
        found: list[Launch] = []
        waiting = [launch]
        while waiting and len(found) < most:
            one = waiting.pop(0)
            for argument in one.reads:
                made = self.producer(argument, one.number)
                if made is not None and made not in found:
                    found.append(made)
                    waiting.append(made)
        return found[:most]


def read(path: str, said: Callable[[str], str] = str) -> Program:
    """The launches of the first model in a package; none if the file is no package, or has no source.

    `said` gives a text of it with the paths that the user knows.
    """
    try:
        found = models(path)
    except NoRepro:
        return Program()
    if not found:
        return Program()
    made = parse(found[0].wrapper, found[0].kernels, found[0].nodes, found[0].lines)
    made.launches = [one.model_copy(update={"places": tuple(_said(one, said))}) for one in made.launches]
    return made


def _said(launch: Launch, said: Callable[[str], str]) -> Iterator[Place]:
    for place in launch.places:
        yield place.model_copy(update={"path": said(place.path)})


def parse(wrapper: str, kernels: str, nodes: tuple[dict[str, Any], ...], lines: Mapping[str, Any]) -> Program:
    """The launches that the source `wrapper` makes. `kernels` is the source of its C++ kernels, `nodes` its calls
    through torch's dispatcher, `lines` its `kernel_information.json`."""
    return _Reader(statements.read(wrapper, nodes), f"{wrapper}\n{kernels}", lines).program()


def _own_lines_first(launches: Sequence[Launch]) -> list[Launch]:
    """A fused kernel names lines that other launches do the work of: its own come first."""
    whole = {launch.places[0]: launch.number for launch in launches if len(launch.places) == 1}

    def foreign(launch: Launch, place: Place) -> bool:
        return whole.get(place, launch.number) != launch.number

    return [
        one.model_copy(update={"places": tuple(sorted(one.places, key=lambda place: foreign(one, place)))})
        for one in launches
    ]


class _Reader:
    """Says of each call which tensors it reads and writes, and where it comes from."""

    def __init__(self, statements: Run, sources: str, lines: Mapping[str, Any]) -> None:
        self._run, self._sources, self._lines = statements, sources, lines
        self._tensors = {*statements.inputs, *statements.constants, *statements.moved, *statements.viewed}

    def program(self) -> Program:
        """All of them, in their order."""
        statements = self._run
        launches = [self._launch(number, call) for number, call in enumerate(statements.calls, 1)]
        return Program(
            inputs=list(statements.inputs), launches=_own_lines_first(launches),
            given={*statements.inputs, *statements.constants}, aliases={**statements.viewed, **statements.moved},
        )  # fmt: skip

    def _launch(self, number: int, call: Call) -> Launch:
        reads, writes = self._arguments(call)
        self._tensors.update(writes)
        entry = self._lines.get(call.handle)
        stacks = entry.get("stack_traces", []) if isinstance(entry, dict) else []
        return Launch(
            number=number, name=call.name, kind="kernel" if call.kind == "triton" else call.kind, reads=reads,
            writes=writes, places=tuple(places(stacks)), source=self._source(call.name),
        )  # fmt: skip

    def _arguments(self, call: Call) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What a call reads and what it writes, in the order of its arguments."""
        if call.kind == "kernel":
            return self._of_cpp(call)
        if call.kind == "triton":
            return self._of_triton(call)
        named = self._named(" ".join(call.arguments))
        reads = tuple(name for name in named if name in call.reads and name not in call.writes)
        return reads, (*(name for name in named if name in call.writes), *sorted(call.writes - set(named)))

    def _of_cpp(self, call: Call) -> tuple[tuple[str, ...], tuple[str, ...]]:
        given = [(bool(found[1]), found[2]) for found in _GIVEN.finditer(call.text)]
        pointers = [name for name in self._parameters(rf"\b{re.escape(call.name)}\(([^)]*)\)") if "ptr" in name]
        reads = [argument for constant, argument in given if constant]
        for (constant, argument), parameter in zip(given, pointers, strict=False):
            if not constant and parameter.startswith("in_out"):
                reads.append(argument)
        return tuple(reads), tuple(argument for constant, argument in given if not constant)

    def _of_triton(self, call: Call) -> tuple[tuple[str, ...], tuple[str, ...]]:
        parameters = self._parameters(rf"\bcall_{re.escape(call.name)}\(([^)]*)\)")
        reads: list[str] = []
        writes: list[str] = []
        for position, argument in enumerate(call.arguments):
            tensors = self._named(argument)
            parameter = parameters[position] if position < len(parameters) else ""
            # A kernel of the user's may call its arguments anything: each may be read, and written.
            if not parameter.startswith("out_ptr"):
                reads += tensors
            if not parameter.startswith("in_ptr"):
                writes += tensors
        return tuple(reads), tuple(writes)

    def _parameters(self, pattern: str) -> list[str]:
        """The names of the parameters of a function, as its declaration has them."""
        declared = re.search(pattern, self._sources)
        return [] if declared is None else [_last_word(part) for part in declared[1].split(",")]

    def _named(self, text: str) -> list[str]:
        """The tensors that a piece of source names, in their order."""
        found = (name for name in _NAME.findall(text) if name in self._tensors or re.fullmatch(r"buf\d+", name))
        return list(dict.fromkeys(found))

    def _source(self, name: str) -> str:
        """The definition of a C++ kernel."""
        found = re.search(rf'^extern "C"[^;{{]*\b{re.escape(name)}\([^;{{]*\)\s*\{{.*?^\}}', self._sources, re.M | re.S)
        return found[0] if found is not None else ""


def _last_word(parameter: str) -> str:
    words = re.findall(r"\w+", parameter)
    return words[-1] if words else ""


def places(stacks: Iterable[str]) -> list[Place]:
    """The lines of the user's code in stack traces as `kernel_information.json` has them, each trace's innermost."""
    found: dict[tuple[str, int], Place] = {}
    for stack in stacks:
        lines = str(stack).splitlines()
        frames = frames_in(lines)
        if frames:
            at = frames[-1]
            text = lines[at.at].strip() if at.at < len(lines) and not lines[at.at].lstrip().startswith("File ") else ""
            found.setdefault((at.path, at.row), Place(path=at.path, line=at.row, function=at.function, text=text))
    return list(found.values())
