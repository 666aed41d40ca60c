"""What the C++ source of a compiled model states about it.

AOTInductor packs the source of the library's wrapper beside the library, as plain text that a program wrote: one
statement a line, in few forms. They are picked out one by one; what is not known is passed over.

Source: `torch/_inductor/codegen/cpp_wrapper_cpu.py` and `cpp_wrapper_gpu.py`, and the sources written by 2.5–2.15.

What inputs must be is not stated up to 2.6. In 2.7 one function, `__check_inputs_outputs`, checks all of them, later
there is one for each (`check_input_0`), in the same words: an input is told by the variable its handle was put into.
That two inputs share a symbol is only in what `run_impl` asserts (`assert_size_stride`), which is not yet there in 2.8.
The least size checked is 2, whatever the `Dim` allows, and the largest is one that torch assumed where the `Dim` has
none. Up to 2.7 `in_spec_` is a quoted string, later a raw one.

Weights of up to 8 elements in one dim that nothing changes are no entries of `constants_info_`, as the kernels have
their values (`can_inline_constant` in `torch/_inductor/graph.py`); neither are mutated buffers of one element in
2.6–2.8. Whether the library has the weights is the last argument of the model's base.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from aoti_lint.program import facts
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.symbolic import Const, Expr, Symbol, parse, python, replace

MAX_LINE = 4_096
"""Characters of a line that is looked at; torch writes up to some hundreds, but for the nesting of arguments."""

_DTYPE = r"\w*?dtype_(\w+?)(?:\(\))?"
_PATTERNS = {
    "handle": re.compile(r"(?:ConstantHandle|auto) (\w+) = (?:ConstantHandle\(|std::move\()?input\w*\[(\d{1,6})\]"),
    "dtype": re.compile(rf"int32_t (\w+)_expected_dtype = {_DTYPE};"),
    "fixed": re.compile(r"if \((\d+)L? != (\w+)_size\[(\d{1,6})\]\)"),
    "min": re.compile(r"if \((\w+)_size\[(\d{1,6})\] < (\d+)L?\)"),
    "max": re.compile(r"if \((\w+)_size\[(\d{1,6})\] > (\d+)L?\)"),
    "stride": re.compile(r"if \((\d+)L? != (\w+)_stride\[(\d{1,6})\]\)"),
    "device": re.compile(r'\b(\w+)_expected_device_type << "\d*\(?(\w+)\)?, "'),
    "symbol": re.compile(r"(?:int64_t|auto) ([su]\d+) = (\w+)_size\[(\d{1,6})\];"),
    "alias": re.compile(r"(?:int64_t|auto) ([su]\d+) = ([^;]+);"),
    "assert": re.compile(r'assert_size_stride\((\w+), \{([^{}]*)\}, \{([^{}]*)\}, "input"\)'),
    "array": re.compile(r"int64_t \*?(\w*int_array_\w+)(?:\[\])? ?= ?(?:\{([^{}]*)\}|nullptr)"),
    "empty": re.compile(
        rf"aoti_torch_empty_strided(?:_pinned)?\(\d+, (\w+), (\w+), {_DTYPE}, "
        r"\w*device_type_(\w+?)(?:\(\))?,.*&(\w+)_handle\)"
    ),
    "view": re.compile(r"reinterpret_tensor_wrapper\((\w+), \d+, (\w+), (\w+), "),
    "rename": re.compile(r"auto (\w+) = std::move\((\w+)\);"),
    "made": re.compile(r"(?:auto|RAIIAtenTensorHandle|AtenTensorHandle) (\w+) = "),
    "output": re.compile(r"output_handles\[(\d{1,6})\] = (\w+)\.release\(\)"),
    "output_view": re.compile(
        r"output_handles\[(\d{1,6})\] = .*reinterpret_tensor_wrapper\((\w+), \d+, (\w+), (\w+), "
    ),
    "input": re.compile(r'inputs_info_\[(\d{1,6})\]\.name = "([^"]*)";'),
    "result": re.compile(r'outputs_info_\[(\d{1,6})\]\.name = "([^"]*)";'),
    "constant": re.compile(r"constants_info_\[(\d{1,6})\]\.(\w+) = (.*);"),
    "spec": re.compile(r'^\s*(in_spec_|out_spec_) = R"\((.*)\)";'),
    "spec_quoted": re.compile(r'^\s*(in_spec_|out_spec_) = "(.*)";'),
    "kernel": re.compile(r"\b(?:call_)?((?:cpp_fused|triton)_\w+)\("),
    "launch": re.compile(r"\b(?:call_(\w+)\(|launchKernel\((?:kernels\.)?(\w+),)"),
    "extern": re.compile(r"\b(aoti_torch_(?:cpu|cuda|xpu|mps|mkldnn|mkl)_\w+)\("),
}  # fmt: skip
_NO_KERNELS = ("aoti_torch_", "function")
_HARMLESS = re.compile(
    r"\s*(?:auto \w+ = std::move\(inputs\[\d+\]\);|auto \w+_size = \w+\.sizes\(\);|\w+\.reset\(\);"
    r"|if \(_check_aoti_runtime_check_inputs_env\(\)\) \{ assert_size_stride\(.*)"
)
"""Lines that mention an input and do not read it."""
_NAME = re.compile(r"\b[a-zA-Z_]\w*\b")
_OUT = re.compile(r"aoti_torch_\w+_out\(")
_NOT_OPERATORS = re.compile(r"aoti_torch_\w+_(?:stream|guard|device)\w*")
_WRITTEN = re.compile(r"(?<!const )\((?!const )[\w:]+(?: ?\*)\)\((\w+)\.data_ptr\(\)")
_PRINTERS: dict[str, Literal["save", "print", "names"]] = {
    'printf("[ before_launch: ': "names", "aoti_torch_save_tensor_handle(": "save",
    "aoti_torch_print_tensor_handle(": "print",
}  # fmt: skip
_COMPILE = re.compile(r"^// (?:g\+\+|clang\+\+|c\+\+|/\S|cl|icpx|nvcc)\S* .*", re.M)
_INCLUDED = re.compile(r"aoti_include/(\w+)\.h")
_RUN = re.compile(r"^void \w+::(?:_?run_impl|inductor_entry_impl)\(", re.M)


@dataclass(slots=True)
class Constant:
    """One entry of `constants_info_`: field to the C++ text it is given."""

    fields: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Wrapper:
    """What was picked out of one source."""

    input_names: list[str] = field(default_factory=list)
    output_names: list[str] = field(default_factory=list)
    checks: dict[int, facts.Check] = field(default_factory=dict)
    shapes: dict[int, tuple[facts.Size, ...]] = field(default_factory=dict)
    """Of inputs, where the source states all sizes; `strides` likewise."""
    strides: dict[int, tuple[facts.Size, ...]] = field(default_factory=dict)
    symbols: dict[str, tuple[int, int]] = field(default_factory=dict)
    """The input and dim that a symbol is taken from."""
    outputs: dict[int, facts.Tensor] = field(default_factory=dict)
    constants: list[Constant] = field(default_factory=list)
    in_spec: str | None = None
    out_spec: str | None = None
    written: set[str] = field(default_factory=set)
    """Names whose data a kernel is given to write to."""
    kernels: list[str] = field(default_factory=list)
    extern_calls: list[str] = field(default_factory=list)
    printer: Literal["save", "print", "names"] | None = None
    nan_asserts: bool = False
    input_checks: bool = False
    weights_in_library: bool | None = None
    device_type: str | None = None
    compile_command: str | None = None
    rows: dict[str, int] = field(default_factory=dict)
    """Where the source says what it was compiled with, by the names of `facts.DebugCode`; the first row of each."""


def read_wrapper(text: str) -> Wrapper:
    """What the source `text` of a wrapper states."""
    return _Reader(text).wrapper


class _Reader:
    def __init__(self, text: str) -> None:
        self.wrapper = Wrapper()
        self._handles: dict[str, int] = {}
        self._parts: dict[int, dict[str, dict[int, int]]] = {}
        self._kinds: dict[int, dict[str, str]] = {}
        self._arrays: dict[str, tuple[facts.Size, ...]] = {}
        self._buffers: dict[str, facts.Tensor] = {}
        self._aliases: dict[str, Expr] = {}
        self._run: list[str] = []
        self._blind: set[int] | None = None
        start = _RUN.search(text)
        found: dict[str, dict[str, None]] = {"kernel": {}, "launch": {}, "extern": {}}
        for line in text.splitlines():
            if len(line) < MAX_LINE or "_spec_ = " in line[:40]:
                self._line(line)
        run = text[start.start() :] if start is not None else text
        self._run = run.splitlines()
        for line in self._run:
            for key, names in found.items():
                for match in _PATTERNS[key].finditer(line[:MAX_LINE]):
                    names.setdefault(match[match.lastindex or 0])
        self._whole(text, start.start() if start is not None else 0)
        kernels = {**found["kernel"], **found["launch"]}
        self.wrapper.kernels = sorted(name for name in kernels if not name.startswith(_NO_KERNELS))
        self.wrapper.extern_calls = sorted(name for name in found["extern"] if not _NOT_OPERATORS.fullmatch(name))
        self._finish()

    def _whole(self, text: str, start: int) -> None:
        """What is asked of the text as a whole. What the model runs begins at `start`."""
        wrapper = self.wrapper
        for sign, printer in _PRINTERS.items():
            if wrapper.printer is None and self._stands("printer", text, text.find(sign, start)):
                wrapper.printer = printer
        wrapper.nan_asserts = self._stands("nan_asserts", text, text.find("aoti_torch_check_inf_and_nan(", start))
        wrapper.input_checks = "AOTI_RUNTIME_CHECK_INPUTS" in text
        wrapper.written = set(_WRITTEN.findall(text, start))
        base = re.search(r": AOTInductorModelBase\(([^{]{0,5000})\{", text)
        last = base[1].strip().rstrip(")").rpartition(",")[2].strip() if base is not None else ""
        wrapper.weights_in_library = {"true": True, "false": False}.get(last)
        included = _INCLUDED.search(text)
        if included is not None and included[1] in ("cpu", "cuda", "xpu", "mps"):
            wrapper.device_type = included[1]
        command = _COMPILE.search(text)
        if command is not None:
            wrapper.compile_command = command[0]
            for name in ("symbols", "optimised"):
                self._stands(name, text, command.start())

    def _stands(self, name: str, text: str, at: int) -> bool:
        """Whether something was found, and then the row of the text that has it."""
        if at >= 0:
            self.wrapper.rows[name] = text.count("\n", 0, at) + 1
        return at >= 0

    def _stride_blind(self) -> set[int]:
        """The inputs that are only read by operators which write to a tensor made before.

        These look at the strides of what they read. Kernels have those of the export written into them, and the
        strides of what other operators return may follow those of what they read.
        """
        if self._blind is None:
            names: dict[str, list[str]] = {name: [] for name in self._handles}
            for line in self._run:
                for name in _NAME.findall(line) if len(line) < MAX_LINE else ():
                    if name in names:
                        names[name].append(line)
            self._blind = {
                self._handles[name] for name, lines in names.items() if lines and all(_strided(n, name) for n in lines)
            }
        return self._blind

    def _line(self, line: str) -> None:
        if "_info_[" in line or "_spec_ = " in line:
            self._described(line)
        elif "_size[" in line or "_stride[" in line or "_expected_" in line:
            self._checked(line)
        elif "input" in line and (match := _PATTERNS["handle"].search(line)):
            self._handles[match[1]] = int(match[2])
        else:
            self._made(line)
        if "assert_size_stride(" in line:
            self._asserted(line)

    def _described(self, line: str) -> None:
        wrapper = self.wrapper
        if match := _PATTERNS["input"].search(line):
            _put(wrapper.input_names, int(match[1]), match[2])
        elif match := _PATTERNS["result"].search(line):
            _put(wrapper.output_names, int(match[1]), match[2])
        elif match := _PATTERNS["constant"].search(line):
            index = int(match[1])
            if index == len(wrapper.constants):
                wrapper.constants.append(Constant())
            if index < len(wrapper.constants):
                wrapper.constants[index].fields[match[2]] = match[3]
        elif match := _PATTERNS["spec"].search(line):
            setattr(wrapper, match[1].rstrip("_"), match[2])
        elif match := _PATTERNS["spec_quoted"].search(line):
            setattr(wrapper, match[1].rstrip("_"), match[2].replace('\\"', '"').replace("\\\\", "\\"))

    def _checked(self, line: str) -> None:
        if match := _PATTERNS["dtype"].search(line):
            self._kind(match[1], "dtype", match[2])
        elif match := _PATTERNS["device"].search(line):
            self._kind(match[1], "device", match[2])
        elif match := _PATTERNS["fixed"].search(line):
            self._part(match[2], "fixed", match[3], match[1])
        elif match := _PATTERNS["min"].search(line):
            self._part(match[1], "min", match[2], match[3])
        elif match := _PATTERNS["max"].search(line):
            self._part(match[1], "max", match[2], match[3])
        elif match := _PATTERNS["stride"].search(line):
            self._part(match[2], "stride", match[3], match[1])
        elif (match := _PATTERNS["symbol"].search(line)) and match[2] in self._handles:
            self.wrapper.symbols.setdefault(match[1], (self._handles[match[2]], int(match[3])))

    def _kind(self, name: str, what: str, value: str) -> None:
        if name in self._handles:
            self._kinds.setdefault(self._handles[name], {})[what] = value

    def _part(self, name: str, what: str, dim: str, value: str) -> None:
        if name in self._handles and len(dim) < 4:
            parts = self._parts.setdefault(self._handles[name], {})
            parts.setdefault(what, {})[int(dim)] = int(value[:19])

    def _asserted(self, line: str) -> None:
        for name, sizes, strides in _PATTERNS["assert"].findall(line):
            index = self._handles.get(name)
            if index is not None and index not in self.wrapper.shapes:
                self.wrapper.shapes[index] = self._sizes(sizes)
                self.wrapper.strides[index] = self._sizes(strides)

    def _made(self, line: str) -> None:
        """Buffers, as far as they may become outputs."""
        if match := _PATTERNS["array"].search(line):
            self._arrays[match[1]] = self._sizes(match[2] or "")
        elif match := _PATTERNS["empty"].search(line):
            shape, strides, dtype, device, name = match.groups()
            self._buffers[name] = self._tensor(shape, strides, dtype, device)
        elif match := _PATTERNS["output_view"].search(line):
            self._output(int(match[1]), match[2], match[3], match[4])
        elif match := _PATTERNS["output"].search(line):
            self._output(int(match[1]), match[2])
        elif match := _PATTERNS["rename"].search(line):
            self._rename(match[1], match[2])
        elif (match := _PATTERNS["made"].search(line)) and (view := _PATTERNS["view"].search(line)):
            self._rename(match[1], view[1], view[2], view[3])
        elif match := _PATTERNS["alias"].search(line):
            try:
                self._aliases[match[1]] = parse(without_suffix(match[2]))
            except Unreadable:
                return

    def _rename(self, name: str, old: str, shape: str | None = None, strides: str | None = None) -> None:
        tensor = self._buffers.get(old)
        if tensor is not None:
            changes = {} if shape is None else {"shape": self._arrays.get(shape, ("?",)),
                                                "strides": self._arrays.get(strides or "")}  # fmt: skip
            self._buffers[name] = tensor.model_copy(update=changes)

    def _output(self, index: int, name: str, shape: str | None = None, strides: str | None = None) -> None:
        self._rename(f"output {index}", name, shape, strides)
        tensor = self._buffers.get(f"output {index}")
        if tensor is not None:
            self.wrapper.outputs[index] = tensor

    def _tensor(self, shape: str, strides: str, dtype: str, device: str) -> facts.Tensor:
        return facts.Tensor(
            dtype=dtype, shape=self._arrays.get(shape, ("?",)), strides=self._arrays.get(strides), device=device
        )

    def _sizes(self, text: str) -> tuple[facts.Size, ...]:
        return tuple(map(self._size, items(text)))

    def _size(self, text: str) -> facts.Size:
        """A C++ size as Python: `2L*s77`, `c10::div_floor_integer(s77, 2L)`."""
        try:
            expr = replace(parse(without_suffix(text)), self._alias)
        except Unreadable:
            return "?"
        return int(expr.value) if isinstance(expr, Const) else python(expr)

    def _alias(self, expr: Expr) -> Expr | None:
        return self._aliases.get(expr.name) if isinstance(expr, Symbol) else None

    def _finish(self) -> None:
        for index in sorted(self._parts.keys() | self._kinds.keys()):
            parts, kinds = self._parts.get(index, {}), self._kinds.get(index, {})
            rank = max((dim for part in parts.values() for dim in part), default=-1) + 1
            fixed = parts.get("fixed", {})
            self.wrapper.checks[index] = facts.Check(
                index=index,
                dtype=kinds.get("dtype"),
                device_type=kinds.get("device"),
                shape=tuple(fixed.get(dim) for dim in range(rank)),
                min=parts.get("min", {}),
                max=parts.get("max", {}),
                strides=parts.get("stride", {}),
                any_strides=index in self._stride_blind(),
            )


def _strided(line: str, name: str) -> bool:
    """Whether a line reads the strides of an input with its data, or does not read it."""
    if _HARMLESS.match(line):
        return True
    given = re.search(rf"[(, ]{name}[,)]", line)
    return given is not None and _OUT.search(line) is not None and f"_wrapper({name}," not in line


def items(text: str) -> Iterator[str]:
    """The parts of a C++ list such as `{4, 10}`; a comma inside of a call, as in `f(4, 10)`, separates none."""
    part, depth = "", 0
    for piece in re.split(r"([(),])", text.strip().strip("{}")):
        depth += {"(": 1, ")": -1}.get(piece, 0)
        if piece == "," and not depth:
            yield from filter(None, (part.strip(),))
            part = ""
        else:
            part += piece
    yield from filter(None, (part.strip(),))


def without_suffix(text: str) -> str:
    """C++ arithmetic as Python reads it; torch prints whole-number divisions as calls."""
    text = re.sub(r"\b(\d+)L+\b", r"\1", text)
    text = text.replace("static_cast<int64_t>", "").replace("std::", "")
    return text.replace("c10::div_floor_integer", "FloorDiv").replace("c10::div_mod", "Mod")


def _put(names: list[str], index: int, name: str) -> None:
    if index == len(names):
        names.append(name)
