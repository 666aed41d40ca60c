"""What `run_impl` of a compiled model does, statement by statement.

AOTInductor writes one statement a line, in few forms: `torch/_inductor/codegen/cpp_wrapper_cpu.py` and
`cpp_wrapper_gpu.py` of 2.13. What is not known is passed over; a launch that needs it cannot be run alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from aoti_lint.rerun.wrapper.arguments import arguments, split
from aoti_lint.rerun.wrapper.calls import Call, Kind, Run

_START = re.compile(r"^void \w+::run_impl\(", re.M)
_ARRAY = re.compile(r"int64_t \*?(\w+)\[\] = \{(.*)\};$")
_CONSTANT = re.compile(r"auto& (\w+) = constants_->at\((\d+)\);")
_INPUT = re.compile(r"auto (\w+) = std::move\(inputs\[(\d+)\]\);")
_SIZE = re.compile(r"(?:int64_t|auto) (\w+) = (\w+)_size\[(\d+)\];")
_SCALAR = re.compile(r"(?:const )?(?:int64_t|int32_t|double|float|bool|auto) (\w+) = ([^;]+);")
_MOVE = re.compile(r"auto (\w+) = std::move\((\w+)\);")
_VIEW = re.compile(r"auto (\w+) = (?:\w+\()*reinterpret_tensor_wrapper\((\w+), \d+, (\w+), (\w+), ")
_EMPTY = re.compile(r"aoti_torch_empty_strided(?:_pinned)?\(\d+, (\w+), (\w+), .*&(\w+)_handle\)")
_ASSERTED = re.compile(r"assert_size_stride\((\w+), \{([^}]*)\}, \{([^}]*)\}")
_KERNEL = re.compile(r"^\s*(?:call_(?P<triton>\w+)|(?P<cpp>cpp_\w+))\(")
_HANDLED = re.compile(r"// \[Provenance debug handles\] (\S+)")
_EXTERN = re.compile(r"\b(aoti_torch_(?:cpu|cuda|xpu|mps)_\w+)\(")
_SERVES = re.compile(r"_(?:stream|guard|device)")
"""What serves the launches of a GPU, and is none."""
_PROXY = re.compile(r"\baoti_torch_proxy_executor_call_function\(")
_WRITTEN = re.compile(r"\((?!const )[\w:]+(?: \w+)* ?\*\)\(?(\w+)\.data_ptr\(\)")
_HANDLE = re.compile(r"&(\w+)_handle\b")
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")


def read(wrapper: str, nodes: tuple[dict[str, Any], ...]) -> Run:
    """The statements of the source of a wrapper; `nodes` are the calls through torch that it numbers."""
    run = Run()
    start = _START.search(wrapper)
    for line, handle in _statements(wrapper[start.start() :] if start is not None else ""):
        _declared(run, line)
        call = _called(line, nodes)
        if call is not None:
            run.calls.append(replace(call, handle=handle))
    return run


def _statements(text: str) -> Iterator[tuple[str, str]]:
    """The lines without comments, each with the handle that was written last before it and not yet used."""
    handle = ""
    for line in text.splitlines():
        if line.startswith("}"):
            return
        if found := _HANDLED.search(line):
            handle = found[1]
        if "//" in line:
            line = line.partition("//")[0]
        if line.strip():
            yield line.strip(), handle


def _declared(run: Run, line: str) -> None:
    if match := _ARRAY.search(line):
        run.arrays[match[1]] = tuple(filter(None, split(match[2])))
    elif match := _CONSTANT.search(line):
        run.constants[match[1]] = int(match[2])
    elif match := _INPUT.search(line):
        run.inputs.append(match[1])
    elif match := _EMPTY.search(line):
        _shaped(run, match[3], run.arrays.get(match[1]), run.arrays.get(match[2]))
    elif match := _SIZE.search(line):
        run.symbols[match[1]] = (match[2], int(match[3]))
    elif match := _MOVE.search(line):
        run.moved[match[1]] = match[2]
        _shaped(run, match[1], run.sizes.get(match[2]), run.strides.get(match[2]))
    elif match := _VIEW.search(line):
        run.viewed[match[1]] = match[2]
        _shaped(run, match[1], run.arrays.get(match[3]), run.arrays.get(match[4]))
    elif match := _SCALAR.search(line):
        run.scalars[match[1]] = match[2]
    if (match := _ASSERTED.search(line)) and match[1] not in run.sizes:
        _shaped(run, match[1], tuple(filter(None, split(match[2]))), tuple(filter(None, split(match[3]))))


def _shaped(run: Run, name: str, sizes: tuple[str, ...] | None, strides: tuple[str, ...] | None) -> None:
    if sizes is not None and strides is not None:
        run.sizes[name], run.strides[name] = sizes, strides


def _called(line: str, nodes: tuple[dict[str, Any], ...]) -> Call | None:
    if match := _PROXY.search(line):
        given = arguments(line, match.end() - 1)
        number = int(given[1].rstrip("L")) if len(given) > 1 and given[1].rstrip("L").isdecimal() else -1
        node = nodes[number] if 0 <= number < len(nodes) else {}
        made = {name for output in node.get("outputs") or () for name in names_of(output)}
        tensors = set(_NAME.findall(given[-1])) - {"std", "array", "AtenTensorHandle", "data"}
        name = str(node.get("target") or "an operator that is called through torch")
        return Call(name, "op", line, given, frozenset(tensors - made), frozenset(made))
    if match := _KERNEL.search(line):
        given = arguments(line, match.end() - 1)
        names = frozenset(_NAME.findall(" ".join(given)))
        kind: Kind = "triton" if match["triton"] else "kernel"
        # What a Triton kernel writes is not told: it may be any tensor it is given.
        writes = frozenset(_WRITTEN.findall(line)) if kind == "kernel" else names
        return Call(match["triton"] or match["cpp"], kind, line, given, names, writes)
    if (match := _EXTERN.search(line)) and not _SERVES.search(match[1]):
        given = arguments(line, match.end() - 1)
        made = set(_HANDLE.findall(line))
        if match[1].endswith("_out") and given:
            made.add(given[0])
        elif match[1].endswith("_") and given:
            made.update(_NAME.findall(given[0]))
        names = frozenset(_NAME.findall(" ".join(given)))
        return Call(match[1], "extern", line, given, names, frozenset(made))
    return None


def names_of(output: Any) -> list[str]:
    """The tensors in an output of a serialised node, which may be several."""
    if isinstance(output, dict):
        if isinstance(output.get("name"), str):
            return [output["name"]]
        return [name for value in output.values() for name in names_of(value)]
    if isinstance(output, list):
        return [name for value in output for name in names_of(value)]
    return []
