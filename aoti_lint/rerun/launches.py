"""The launches of a compiled model in their order, from the source of its wrapper.

The debug printer says nothing of operators that are called through torch's dispatcher
(`aoti_torch_proxy_executor_call_function`): only the source tells what ran between two kernels.
`kernel_information.json`, which INDUCTOR_PROVENANCE=1 adds to a package, has the user's lines for each launch (run on
torch 2.13, CPU).

Source: `torch/_inductor/codegen/cpp_wrapper_cpu.py`, `cpp_wrapper_gpu.py`; packages written by 2.13 (CPU).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from aoti_lint.program.archive import ZipArchive
from aoti_lint.program.compiled import MAX_SOURCE
from aoti_lint.program.errors import Unreadable
from aoti_lint.rerun.result import Launch, Place
from aoti_lint.triage.log import frames_in

_BEGINS = re.compile(r"^void \w+::(?:_?run_impl|inductor_entry_impl)\(", re.M)
_HANDLE = re.compile(r"// \[Provenance debug handles\] (\S+)")
_PROXY = re.compile(r"aoti_torch_proxy_executor_call_function\(\w+, (\d+),")
_EXTERN = re.compile(r"\b(aoti_torch_(?:cpu|cuda|xpu|mps|mkldnn|mkl)_\w+)\((.*)\)\)?;")
_NOT_OPERATORS = re.compile(r"aoti_torch_\w+_(?:stream|guard|device)\w*")
_TRITON = re.compile(r"\bcall_(\w+)\((.*)\);|\blaunchKernel\((?:kernels\.)?(\w+),(.*)\);")
_CPP = re.compile(r"(?:^|[\s.>])(cpp_\w+)\((.*)\);")
_ALIAS = re.compile(
    r"(?:auto&?&?|decltype\(auto\)) (\w+) = (?:std::move\((\w+)\)|.*reinterpret_tensor_wrapper\((\w+),)"
)
_NAME = re.compile(r"\b(?:buf\d+|arg\d+_\d+|[A-Za-z_]\w*)\b")
_GIVEN = re.compile(r"\((const )?[\w:]+ ?\*\)\((\w+)\.data_ptr\(\)")
_INPUT = re.compile(r"auto (\w+) = std::move\(inputs\[\d+\]\);|\bauto& (\w+) = constants_->at\(\d+\);")
_PARAMETER = re.compile(r"\b(\w+)\s*(?:,|$)")
_SAYS = re.compile(r"printf\(|std::cout|aoti_torch_(?:print|save)_tensor_handle\(|aoti_torch_check_inf_and_nan\(")
_CALL = 20_000
"""Characters of one call that are read."""


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


def read(path: str) -> Program:
    """The launches of the first model in a package; none if the file is no package, or has no source."""
    try:
        with open(path, "rb") as file, ZipArchive(file) as archive:
            names = archive.names

            def text(*endings: str) -> str:
                found = [name for name in names if name.endswith(endings)]
                return "\n".join(archive.read(name, MAX_SOURCE).decode("utf-8", "replace") for name in found[:1])

            wrapper = text(".wrapper.cpp") or text(".cpp")
            kernels = text(".kernel.cpp")
            proxies = _object(text(".wrapper.json"))
            lines = _object(text("kernel_information.json"))
    except (OSError, Unreadable):
        return Program()
    return parse(wrapper, kernels, proxies, lines)


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text) if text else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def parse(wrapper: str, kernels: str, proxies: Mapping[str, Any], lines: Mapping[str, Any]) -> Program:
    """The launches that the source `wrapper` makes. `kernels` is the source of its C++ kernels, `proxies` its list of
    operators, `lines` its `kernel_information.json`."""
    reader = _Reader(wrapper + "\n" + kernels, proxies.get("nodes", []), lines)
    begins = _BEGINS.search(wrapper)
    for line in wrapper[begins.start() if begins else 0 :].splitlines():
        if line.startswith("} // AOTInductorModel::run_impl"):
            break
        reader.line(line)
    reader.program.launches = _own_lines_first(reader.program.launches)
    return reader.program


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
    """Takes the lines of `run_impl` one by one."""

    def __init__(self, sources: str, nodes: Sequence[Any], lines: Mapping[str, Any]) -> None:
        self.program = Program()
        self._sources, self._nodes, self._lines = sources, nodes, lines
        self._handle = ""
        self._known: set[str] = set()

    def line(self, line: str) -> None:
        text = line.strip()
        if handle := _HANDLE.match(text):
            self._handle = handle[1]
        if _SAYS.search(text) or text.startswith("//"):
            return
        if given := _INPUT.search(text):
            self.program.given.add(given[1] or given[2])
            self.program.inputs += [given[1]] if given[1] else []
        if alias := _ALIAS.search(text):
            self.program.aliases[alias[1]] = alias[2] or alias[3]
        if proxy := _PROXY.search(text):
            self._op(int(proxy[1]))
        elif (extern := _EXTERN.search(text[:_CALL])) and not _NOT_OPERATORS.fullmatch(extern[1]):
            self._extern(extern[1], extern[2])
        elif triton := _TRITON.search(text[:_CALL]):
            self._triton(triton[1] or triton[3], triton[2] or triton[4])
        elif (kernel := _CPP.search(text[:_CALL])) and not text.startswith("extern"):
            self._cpp(kernel[1], kernel[2])

    def _op(self, index: int) -> None:
        node = self._nodes[index]["node"] if index < len(self._nodes) else {}
        reads, writes = tuple(_tensors(node.get("inputs"))), tuple(_tensors(node.get("outputs")))
        self._add(str(node.get("target", f"operator {index}")), "op", reads, writes)

    def _extern(self, name: str, arguments: str) -> None:
        names = self._tensors(arguments)
        results = re.findall(r"&(\w+)_handle\b", arguments)
        if results:
            self._add(name, "extern", tuple(n for n in names if n not in results), tuple(results))
        else:
            self._add(name, "extern", tuple(names[1:]), tuple(names[:1]))

    def _cpp(self, name: str, arguments: str) -> None:
        given = [(bool(found[1]), found[2]) for found in _GIVEN.finditer(arguments)]
        parameters = self._parameters(rf"\b{re.escape(name)}\(([^)]*)\)")
        reads = [argument for constant, argument in given if constant]
        writes = [argument for constant, argument in given if not constant]
        pointers = [parameter for parameter in parameters if "ptr" in parameter]
        for (constant, argument), parameter in zip(given, pointers, strict=False):
            if not constant and parameter.startswith("in_out"):
                reads.append(argument)
        self._add(name, "kernel", tuple(reads), tuple(writes))

    def _triton(self, name: str, arguments: str) -> None:
        name = name.removeprefix("call_")
        parameters = self._parameters(rf"\bcall_{re.escape(name)}\(([^)]*)\)")
        reads, writes = [], []
        for position, argument in enumerate(part.strip() for part in arguments.split(",")):
            tensors = self._tensors(argument)
            if not tensors:
                continue
            parameter = parameters[position] if position < len(parameters) else ""
            # A kernel of the user's may call its arguments anything: each may be read, and written.
            if not parameter.startswith("out_ptr"):
                reads += tensors
            if not parameter.startswith("in_ptr"):
                writes += tensors
        self._add(name, "kernel", tuple(reads), tuple(writes))

    def _parameters(self, pattern: str) -> list[str]:
        """The names of the parameters of a function, as its declaration has them."""
        declared = re.search(pattern, self._sources)
        return [] if declared is None else [_last_word(part) for part in declared[1].split(",")]

    def _tensors(self, text: str) -> list[str]:
        """The tensors that a piece of source names, in their order."""
        known = self._known | self.program.given | self.program.aliases.keys()
        found = (name for name in _NAME.findall(text) if name in known or re.fullmatch(r"buf\d+|arg\d+_\d+", name))
        return list(dict.fromkeys(found))

    def _add(self, name: str, kind: Any, reads: tuple[str, ...], writes: tuple[str, ...]) -> None:
        self._known.update(writes)
        entry = self._lines.get(self._handle)
        stacks = entry.get("stack_traces", []) if isinstance(entry, dict) else []
        number = len(self.program.launches) + 1
        launch = Launch(
            number=number, name=name, kind=kind, reads=reads, writes=writes, places=tuple(places(stacks)),
            source=self._source(name),
        )  # fmt: skip
        self.program.launches.append(launch)
        self._handle = ""

    def _source(self, name: str) -> str:
        """The definition of a C++ kernel."""
        found = re.search(rf'^extern "C"[^;{{]*\b{re.escape(name)}\([^;{{]*\)\s*\{{.*?^\}}', self._sources, re.M | re.S)
        return found[0] if found is not None else ""


def _last_word(parameter: str) -> str:
    words = re.findall(r"\w+", parameter)
    return words[-1] if words else ""


def _tensors(arguments: Any) -> Iterable[str]:
    """The names of tensors in the arguments of a serialized node, however they are nested."""
    if isinstance(arguments, dict):
        named = arguments.get("as_tensor")
        if isinstance(named, dict) and isinstance(named.get("name"), str):
            yield named["name"]
            return
        arguments = list(arguments.values())
    if isinstance(arguments, list):
        for part in arguments:
            yield from _tensors(part)


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
