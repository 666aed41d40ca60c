"""Arguments as `run_impl` writes them in C++, and their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aoti_lint.program.compiled.wrapper import without_suffix
from aoti_lint.program.errors import Unreadable
from aoti_lint.program.symbolic import Expr, Number, Symbol, evaluate, parse
from aoti_lint.rerun.wrapper.errors import NoRepro

if TYPE_CHECKING:
    from aoti_lint.rerun.wrapper.calls import Run

_TRANSPARENT = re.compile(
    r"(?:wrap_with_raii_handle_if_needed|temporary_reference|RAIIAtenTensorHandle|copy_arrayref_tensor_to_tensor"
    r"|convert_arrayref_tensor_to_tensor|borrow_arrayref_tensor_as_tensor)\((.*)\)$"
)
_METHOD = re.compile(r"(.*)\.(?:get|data|cbegin|begin)\(\)$")
_ARRAY = re.compile(r"std::array<[^{}]*>\{(.*)\}$|\{(.*)\}$")
_VIEW = re.compile(r"reinterpret_tensor_wrapper\((.*)\)$")
_DTYPE = re.compile(r"(?:cached_torch|aoti_torch)_dtype_(\w+?)(?:\(\))?$")
_OUTPUT = re.compile(r"&(\w+)_handle$")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"$')
_INFINITY = re.compile(r"(-?)(?:std::numeric_limits<\w+>::infinity\(\)|INFINITY)$")
_NAN = re.compile(r"-?(?:std::numeric_limits<\w+>::quiet_NaN\(\)|NAN)$")
_FLOAT = re.compile(r"(-?\d+\.\d*(?:e[+-]?\d+)?|-?\d+e[+-]?\d+)f?$")


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor by its variable, or a view of it: sizes, strides, and the offset beside that of the tensor."""

    name: str
    view: tuple[tuple[int, ...], tuple[int, ...], int] | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """A tensor that the call makes."""

    name: str


@dataclass(frozen=True, slots=True)
class Dtype:
    """A dtype by its name in torch."""

    name: str


Value = Tensor | Output | Dtype | int | float | str | None | tuple["Value", ...]


def _outside_strings(text: str) -> Iterator[tuple[int, str]]:
    """The characters that are in no string, with their places."""
    quoted = False
    for at, char in enumerate(text):
        if char == '"' and (at == 0 or text[at - 1] != "\\"):
            quoted = not quoted
        elif not quoted:
            yield at, char


def split(text: str) -> tuple[str, ...]:
    """The parts of a C++ list, at the commas outside of brackets, template arguments and strings."""
    parts: list[str] = []
    depth, start = 0, 0
    for at, char in _outside_strings(text):
        if char in "([{" or (char == "<" and re.search(r"(?:array|_cast|limits)$", text[:at])):
            depth += 1
        elif char in ")]}" or (char == ">" and re.search(r"(?:array|_cast|limits)<[\w:, *]*$", text[:at])):
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    parts.append(text[start:].strip())
    return tuple(parts) if text.strip() else ()


def arguments(text: str, opened: int) -> tuple[str, ...]:
    """The arguments of a call whose bracket is at `opened`."""
    depth = 0
    for at, char in _outside_strings(text):
        if at >= opened:
            depth += (char == "(") - (char == ")")
            if depth == 0:
                return split(text[opened + 1 : at])
    return ()


class Values:
    """The values of arguments, given the number that each size stands for."""

    def __init__(self, run: Run, numbers: Mapping[str, int]) -> None:
        self._run = run
        self._numbers: dict[Expr, Number] = {Symbol(name): number for name, number in numbers.items()}

    def size(self, text: str) -> int:
        """A size such as `7L*s77`. Raises `NoRepro` where it is not known."""
        try:
            found = evaluate(parse(without_suffix(text)), self._numbers)
        except Unreadable:
            found = None
        if found is None:
            raise NoRepro(f"the size {text!r} is not known from what was saved")
        return int(found)

    def sizes(self, name: str) -> tuple[int, ...]:
        """The sizes in an array. Raises `NoRepro` where they are not known."""
        if name not in self._run.arrays:
            raise NoRepro(f"the sizes {name!r} are not written down in the package")
        return tuple(self.size(item) for item in self._run.arrays[name])

    def value(self, text: str) -> Value:
        """What an argument is. Raises `NoRepro` for a form that is not known."""
        text = text.strip()
        if text in ("nullptr", "std::nullopt"):
            return None
        for form in (_TRANSPARENT, _METHOD):
            if match := form.match(text):
                return self.value(match[1])
        if match := _OUTPUT.match(text):
            return Output(match[1])
        if text.startswith("&"):
            return self.value(text[1:])
        if match := _VIEW.match(text):
            return self._view(match[1])
        if match := _ARRAY.match(text):
            return tuple(self.value(item) for item in split(match[1] or match[2] or ""))
        if match := _STRING.match(text):
            return match[1].encode().decode("unicode_escape")
        if match := _DTYPE.match(text):
            return Dtype(match[1])
        return self._number(text)

    def _number(self, text: str) -> Value:
        if match := _INFINITY.match(text):
            return float(match[1] + "inf")
        if _NAN.match(text):
            return float("nan")
        if match := _FLOAT.match(text):
            return float(match[1])
        if text in ("true", "false"):
            return int(text == "true")
        run = self._run
        if text in run.arrays:
            return tuple(self.value(item) for item in run.arrays[text])
        known = Symbol(text) in self._numbers or text in run.symbols
        if re.fullmatch(r"[A-Za-z_]\w*", text) and not known:
            if text in run.scalars and text != run.scalars[text]:
                return self.value(run.scalars[text])
            if text.endswith("_handle"):
                text = text.removesuffix("_handle")
            return Tensor(text)
        return self.size(text)

    def _view(self, text: str) -> Tensor:
        parts = split(text)
        base = self.value(parts[0]) if len(parts) == 5 else None
        if not isinstance(base, Tensor) or base.view is not None:
            raise NoRepro(f"the view {text!r} is of a form that is not known here")
        return Tensor(base.name, (self.sizes(parts[2]), self.sizes(parts[3]), self.size(parts[4])))


def solve(run: Run, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """The numbers behind the sizes, from the shapes of tensors that were saved."""
    numbers: dict[str, int] = {}
    for symbol, (name, dim) in run.symbols.items():
        if name in shapes and dim < len(shapes[name]):
            numbers[symbol] = shapes[name][dim]
    for name, sizes in run.sizes.items():
        if len(shapes.get(name, ())) == len(sizes):
            for text, number in zip(sizes, shapes.get(name, ()), strict=True):
                _solved(text, number, numbers)
    for name, text in run.scalars.items():
        if name not in numbers:
            try:
                numbers[name] = Values(run, numbers).size(text)
            except NoRepro:
                continue
    return numbers


def _solved(text: str, number: int, numbers: dict[str, int]) -> None:
    """Learn from a size that is a symbol, or a multiple of one."""
    if match := re.fullmatch(r"(?:(\d+)L?\*)?([a-z]+\d+)(?:\*(\d+)L?)?", text.replace(" ", "")):
        factor = int(match[1] or match[3] or 1)
        if factor and number % factor == 0:
            numbers.setdefault(match[2], number // factor)
