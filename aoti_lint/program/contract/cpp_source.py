"""The contract as one C++17 header, for hosts that load the package without Python.

There a package takes a flat list of tensors: nesting, names and frozen Python values are no part of the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from aoti_lint.program.contract.cpp_expr import Unwritable, cpp
from aoti_lint.program.contract.cpp_helpers import DETAIL, END, INPUT, START
from aoti_lint.program.contract.model import Contract, Input
from aoti_lint.program.contract.plan import (
    Between,
    Check,
    Define,
    Equal,
    Holds,
    Strides,
    divides,
    fixed_sizes,
    mentioned,
    plan,
)
from aoti_lint.program.contract.words import about, bounds_text, header
from aoti_lint.program.symbolic import Const, Dim, Expr, Symbol, dims, python
from aoti_lint.quoting.cpp import Cpp, comment, generated, literal

MARK = "Written by aoti-lint contract --cpp"


def cpp_source(contract: Contract, files: str, namespace: str = "aoti_contract") -> Cpp:
    """The text of a header with `violations` and `check_inputs` in a namespace."""
    return generated(_Writer(contract).text(files, namespace))


class _Writer:
    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._tensors = [item for item in contract.inputs if item.kind == "tensor"]
        self._numbers = {item.path: number for number, item in enumerate(self._tensors)}
        self._unwritten: list[str] = []

    def text(self, files: str, namespace: str) -> str:
        body = "".join(f"  {line}".rstrip() + "\n" for line in self._body())
        used = [text for name, text in DETAIL.items() if self._needed(name, body)]
        lines = header(self._contract, files, MARK)
        if self._unwritten:
            lines += ["", "Not checked, as C++ cannot say them:", *(f"    {text}" for text in self._unwritten)]
        if len(self._tensors) < len(self._contract.inputs):
            lines += [
                "",
                "The package takes the tensors only, in this order; the rest has no place in a call from C++.",
            ]
        head = "".join(f"{comment(line)}\n" for line in lines)
        function = (
            "// Everything that is wrong with the inputs; nothing if the model takes them.\n"
            f"inline std::vector<std::string> violations(const std::vector<Input>& inputs) {{\n{body}}}\n"
        )
        inside = "\n".join([INPUT, "namespace detail {\n", *used, "}  // namespace detail\n", function, END])
        return f"{head}{START}\nnamespace {namespace} {{\n\n{inside}\n}}  // namespace {namespace}\n"

    def _needed(self, name: str, body: str) -> bool:
        if name == "text":
            return bool(self._tensors)
        if name == "floor_div" and "floor_mod(" in body:
            return True
        return f"{name}(" in body

    def _body(self) -> Iterator[str]:
        yield "using namespace detail;"
        yield "std::vector<std::string> problems;"
        count = len(self._tensors)
        yield f"if (inputs.size() != {count}) {{"
        plural = "tensor" if count == 1 else "tensors"
        yield f'  problems.push_back("this model takes {count} {plural}, not " + std::to_string(inputs.size()));'
        yield "  return problems;"
        yield "}"
        if self._tensors:
            yield "bool readable = true;"
        for number, item in enumerate(self._tensors):
            yield f"readable &= {self._tensor(number, item)};"
        if self._tensors:
            yield "if (!readable) {"
            yield "  return problems;  // the sizes below cannot be read"
            yield "}"
            yield ""
        checks = plan(self._contract)
        used = {name for check in checks for name in mentioned(check)}
        for check in checks:
            try:
                yield from list(self._check(check, used))
            except Unwritable:
                self._unwritten.append(python(check.condition) if isinstance(check, Holds) else repr(check))
        yield "return problems;"

    def _tensor(self, number: int, item: Input) -> str:
        sizes = ", ".join("-1" if size is None else str(size) for size in fixed_sizes(item))
        return (
            f"check_tensor(problems, {literal(item.path)}, inputs[{number}], {literal(item.dtype or '')}, "
            f"{literal(item.device_type or '')}, {{{sizes}}})"
        )

    def _check(self, check: Check, used: set[str]) -> Iterator[str]:
        match check:
            case Define(symbol, dim, factor, offset, size):
                value = self._leaf(dim)
                over = value if not offset else f"{value} - {offset}" if offset > 0 else f"{value} + {-offset}"
                if factor != 1:
                    yield f"if (floor_mod({over}, {factor}) != 0) {{"
                    text = f"{about(dim)} does not fit: it must be of the form {python(size)}"
                    yield f"  problems.push_back({literal(text)});"
                    yield "}"
                    over = f"floor_div({over}, {factor})"
                if symbol in used:
                    yield f"const int64_t {_identifier(symbol)} = {over};"
            case Between(dim, low, high, size):
                value = self._leaf(dim)
                outside = [f"{value} < {low}"] * (low is not None) + [f"{value} > {high}"] * (high is not None)
                yield f"if ({' || '.join(outside)}) {{"
                wanted = f"; this model takes {bounds_text(low, high)} ({python(size)})"
                yield from self._said(f"{about(dim)} is ", value, wanted)
            case Equal(dim, size, said):
                value = self._leaf(dim)
                yield f"if ({value} != {cpp(size, self._leaf, 3)}) {{"
                yield f"  problems.push_back({literal(f'{about(dim)} is ')} + std::to_string({value}) +"
                yield f'                     "; it must be " + std::to_string({cpp(size, self._leaf)}) +'
                yield f"                     {literal(f' ({python(said)})')});"
                yield "}"
            case Holds(condition):
                text = cpp(condition, self._leaf)
                test = f"holds([&] {{ return {text}; }})" if divides(condition) else f"({text})"
                yield f"if (!{test}) {{"
                parts = [f"{literal(f'{python(condition)} must hold')}"]
                for index, dim in enumerate(sorted(dims(condition), key=str)):
                    lead = f"{'; ' if index == 0 else ', '}{python(dim)} = "
                    parts.append(f"{literal(lead)} + std::to_string({self._leaf(dim)})")
                # One line each; the first literal must be a string for `+` to join them.
                yield f"  problems.push_back(std::string({parts[0]}) +"
                yield "                     " + " +\n                       ".join(parts[1:]) + ");"
                yield "}"
            case Strides(path, strides):
                wanted = ", ".join("ANY" if stride is None else cpp(stride, self._leaf) for stride in strides)
                number = self._numbers[path]
                yield f"check_strides(problems, {literal(path)}, inputs[{number}], {{{wanted}}});"

    def _said(self, before: str, value: str, after: str) -> Iterator[str]:
        yield f"  problems.push_back({literal(before)} + std::to_string({value}) + {literal(after)});"
        yield "}"

    def _leaf(self, expr: Expr) -> str:
        match expr:
            case Symbol(name):
                return _identifier(name)
            case Dim(path, int() as index, "shape") if path in self._numbers:
                return f"inputs[{self._numbers[path]}].sizes[{index}]"
            case Dim(path, int() as index, "stride") if path in self._numbers:
                return f"inputs[{self._numbers[path]}].strides[{index}]"
            case Dim(path, None, "value"):
                frozen = next((item.value for item in self._contract.inputs if item.path == path), None)
                if isinstance(frozen, (int, float)):
                    return cpp(Const(frozen), self._leaf)
        raise Unwritable(str(expr))


def _identifier(symbol: str) -> str:
    """A name that is none of ours and no word of C++."""
    word = re.sub(r"\W", "_", symbol)
    return word if re.fullmatch(r"[su]\d+", word) else f"{word}_size"
