"""The contract as a Python file that checks the arguments of a call, for people to read and keep."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from aoti_lint.program.contract.model import Contract, Input, Node
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
from aoti_lint.program.contract.python_helpers import HELPERS
from aoti_lint.program.contract.words import about, bounds_text, header
from aoti_lint.program.symbolic import Dim, Expr, Op, Symbol, dims, python, replace
from aoti_lint.quoting.python import Python, docstring, generated, literal, string

MARK = "Written by aoti-lint contract"
"""Stands in every file this writes: one that has it may be written over."""

WIDTH = 100
"""Columns of the file, so that the usual formatters leave it alone."""


def python_source(contract: Contract, files: str) -> Python:
    """The text of a module with `check_inputs` and `violations`; `files` are the names of those it was made from."""
    return generated(_Writer(contract).text(files))


class _Writer:
    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._positional, self._packed = _parameters(contract)
        taken = {*self._positional, self._packed, *(node.path for node in contract.parameters)}
        self._problems = _free("problems", taken)
        self._readable = _free("readable", taken)
        names = {**{symbol: _free(symbol, taken | {self._problems, self._readable}) for symbol in contract.symbols}}
        self._symbols = {symbol: re.sub(r"\W", "_", name) for symbol, name in names.items()}
        self._inputs = {item.path: item for item in contract.inputs}
        self._used: set[str] = set()
        self._mentioned: set[str] = set()

    def text(self, files: str) -> str:
        body = list(self._body())
        helpers = [text.strip("\n") + "\n" for name, text in HELPERS.items() if name in self._used]
        given = self._call()
        parts = [
            f"{docstring([line.replace(chr(92), '/') for line in header(self._contract, files, MARK)])}\n",
            "from __future__ import annotations\n\nimport math\nfrom typing import Any\n"
            if any("math." in line for line in body + helpers)
            else "from __future__ import annotations\n\nfrom typing import Any\n",
            f"\n{self._define('check_inputs', 'None')}\n"
            '    """Raise ValueError, which lists everything that is wrong with the arguments."""\n'
            f"    {self._problems} = violations({given})\n"
            f"    if {self._problems}:\n"
            f'        lines = ["not what this model was compiled for:", *{self._problems}]\n'
            '        raise ValueError("\\n  ".join(lines))\n',
            f"\n{self._define('violations', 'list[str]')}\n"
            '    """Everything that is wrong with the arguments; an empty list if the model takes them."""\n'
            + "".join(f"    {line}".rstrip() + "\n" for line in body),
            *(f"\n{text}" for text in helpers),
        ]
        return "\n".join(parts)

    def _define(self, name: str, result: str) -> str:
        """The first line of a function that takes the arguments of the model."""
        words = [f"{name}: Any" for name in self._positional]
        words += ["/"] if words else []
        if self._contract.keyword:
            words += ["*", *(f"{node.path}: Any" for node in self._contract.keyword)]
        line = f"def {name}({', '.join(words)}) -> {result}:"
        if len(line) <= WIDTH:
            return line
        rows = "".join(f"    {word},\n" for word in words)
        return f"def {name}(\n{rows}) -> {result}:"

    def _call(self) -> str:
        words = list(self._positional)
        words += [f"{node.path}={node.path}" for node in self._contract.keyword]
        line = ", ".join(words)
        return line if len(line) < WIDTH - 35 else "\n        " + ",\n        ".join(words) + ",\n    "

    def _body(self) -> Iterator[str]:
        if self._packed:
            yield f"{self._packed} = [{', '.join(self._positional)}]"
        yield f"{self._problems}: list[str] = []"
        nested = [call for node in self._contract.parameters for call in self._nesting(node)]
        if nested:
            yield "if not ("
            yield from (f"    {'and ' if number else ''}{call}" for number, call in enumerate(nested))
            yield "):"
            yield f"    return {self._problems}  # what is inside cannot be reached"
        tensors = [item for item in self._contract.inputs if item.kind == "tensor"]
        for item in self._contract.inputs:
            if item.kind in ("frozen", "symbol"):
                yield self._fixed(item) if item.kind == "frozen" else self._help("_whole", item.path)
        checks = plan(self._contract)
        self._mentioned = {name for check in checks for name in mentioned(check)}
        if tensors and checks:
            yield f"{self._readable} = ["
            yield from (f"    {self._tensor(item)}," for item in tensors)
            yield "]"
            yield f"if not all({self._readable}):"
            yield f"    return {self._problems}  # the sizes below cannot be read"
        else:
            yield from (self._tensor(item) for item in tensors)
        if checks:
            yield ""
        for check in checks:
            yield from self._check(check)
        yield f"return {self._problems}"

    def _nesting(self, node: Node) -> Iterator[str]:
        """Calls that see whether an argument is nested as it must be, outermost first."""
        if node.kind == "leaf":
            return
        if node.kind == "dict":
            keys = ", ".join(_quoted(key) for key in node.keys)
            yield self._help("_dict", node.path, f"{_quoted(node.type)}, [{keys}]")
            ordered = [key for key, child in zip(node.keys, node.children, strict=True) if self._has_tensor(child)]
            if len(ordered) > 1:
                yield self._help("_order", node.path, f"[{', '.join(map(_quoted, ordered))}]")
        elif node.kind == "fields":
            yield self._help("_fields", node.path, f"[{', '.join(map(_quoted, node.keys))}]")
        else:
            yield self._help("_sequence", node.path, f"{node.kind}, {len(node.children)}")
        for child in node.children:
            yield from self._nesting(child)

    def _has_tensor(self, node: Node) -> bool:
        if node.input is not None:
            return self._contract.inputs[node.input].kind == "tensor"
        return any(map(self._has_tensor, node.children))

    def _help(self, name: str, path: str, rest: str = "") -> str:
        self._used |= {name} | NEEDS.get(name, set())
        return f"{name}({self._problems}, {_quoted(path)}, {_code(path)}{', ' + rest if rest else ''})"

    def _fixed(self, item: Input) -> str:
        value = _quoted(item.value) if isinstance(item.value, str) else repr(item.value)
        if value in ("nan", "inf", "-inf"):
            value = f'float("{value}")'
        return self._help("_fixed", item.path, value)

    def _tensor(self, item: Input) -> str:
        sizes = fixed_sizes(item)
        shape = "None" if item.shape is None else f"({', '.join(map(repr, sizes))}{',' if len(sizes) == 1 else ''})"
        dtype = "None" if item.dtype is None else _quoted(item.dtype)
        device = "None" if item.device_type is None else _quoted(item.device_type)
        return self._help("_tensor", item.path, f"{dtype}, {device}, {shape}")

    def _check(self, check: Check) -> Iterator[str]:
        match check:
            case Define(symbol, dim, 1, 0):
                if symbol in self._mentioned:
                    yield f"{self._symbols[symbol]} = {self._python(dim)}"
            case Define(symbol, dim, factor, offset, size):
                self._used.add("_solve")
                over = self._python(dim)
                if offset:
                    over += f" - {offset}" if offset > 0 else f" + {-offset}"
                wanted = python(size)
                name = f"{self._symbols[symbol]} = " if symbol in self._mentioned else ""
                yield (f"{name}_solve({self._problems}, {_quoted(about(dim))}, {over}, {factor}, {_quoted(wanted)})")
            case Between(dim, low, high, size):
                value = self._python(dim)
                condition = " <= ".join(str(part) for part in (low, value, high) if part is not None)
                yield f"if not {condition}:"
                wanted = f"; this model takes {bounds_text(low, high)} ({python(size)})"
                yield from self._append(f"{about(dim)} is ", dim, wanted)
            case Equal(dim, size, said):
                yield f"if {self._python(dim)} != {self._python(size)}:"
                yield from self._append(f"{about(dim)} is ", dim, "; it must be ", size, f" ({python(said)})")
            case Holds(condition):
                yield from self._holds(condition)
            case Strides(path, strides):
                wanted = ", ".join("None" if stride is None else self._python(stride) for stride in strides)
                yield self._help("_strides", path, f"({wanted}{',' if len(strides) == 1 else ''})")

    def _holds(self, condition: Expr) -> Iterator[str]:
        text = self._python(condition)
        said: list[str | Expr] = [f"{python(condition)} must hold"]
        for index, dim in enumerate(sorted(dims(condition), key=str)):
            said += [f"{'; ' if index == 0 else ', '}{python(dim)} = ", dim]
        if divides(condition):
            self._used.add("_holds")
            yield f"if not _holds(lambda: {text}):"
        elif isinstance(condition, Op) and condition.name in _NOT:
            opposite = Op(_NOT[condition.name], condition.args)
            yield f"if {self._python(opposite)}:"
        else:
            yield f"if not ({text}):"
        yield from self._append(*said)

    def _append(self, *parts: str | Expr) -> Iterator[str]:
        message = _message(parts, self._python)
        line = f"    {self._problems}.append({message})"
        if len(line) + 4 <= WIDTH:
            yield line
        else:
            yield from (f"    {self._problems}.append(", f"        {message}", "    )")

    def _python(self, expr: Expr) -> str:
        """An expression in the code: paths with double quotes, symbols by their local names."""

        def change(leaf: Expr) -> Expr | None:
            if isinstance(leaf, Symbol):
                return Symbol(self._symbols.get(leaf.name, leaf.name))
            return Dim(_code(leaf.path), leaf.index, leaf.what) if isinstance(leaf, Dim) else None

        return _spaced(python(replace(expr, change)))


NEEDS = {"_tensor": {"_kind", "_word"}, "_dict": {"_kind"}, "_fields": {"_kind"}, "_sequence": {"_kind"}}
"""Helpers that helpers call."""

_NOT = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def _parameters(contract: Contract) -> tuple[list[str], str]:
    """Names for the positional parameters, and the one that paths into all of them together have; "" for none."""
    paths = [node.path for node in contract.positional]
    if all(path.isidentifier() for path in paths):
        return paths, ""
    taken = {node.path for node in contract.keyword}
    return [_free(f"arg{index}", taken) for index in range(len(paths))], paths[0].partition("[")[0]


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _spaced(text: str) -> str:
    return re.sub(r"(?<=[^\s*])(//|\*\*?)(?=[^\s*])", r" \1 ", text)


def _quoted(value: object) -> Python:
    return string(value) if isinstance(value, str) else literal(value)


def _code(path: str) -> str:
    """A path as code, with the quotes that formatters want. Its keys are written anew: they come from the file."""
    return _step(ast.parse(path, mode="eval").body)


def _step(node: ast.expr) -> str:
    match node:
        case ast.Name(name):
            return name
        case ast.Attribute(value, attr):
            return f"{_step(value)}.{attr}"
        case ast.Subscript(value, ast.Constant(value=str() | int() as key)):
            return f"{_step(value)}[{_quoted(key)}]"
        case ast.Subscript(value, ast.UnaryOp(ast.USub(), ast.Constant(value=int() as key))):
            return f"{_step(value)}[-{key}]"
        case _:
            raise ValueError(f"this is no path: {ast.unparse(node)}")


def _message(parts: Sequence[str | Expr], code: Callable[[Expr], str]) -> str:
    """The source of a text of words and of values, which are expressions."""
    written = [(part, None) if isinstance(part, str) else ("", code(part)) for part in parts]
    if any(value is not None and re.search(r'["\\]', re.sub(r'"[\w -]*"', "", value)) for _, value in written):
        # Python before 3.12 cannot have such a key inside an f-string.
        return " + ".join(_quoted(words) if value is None else f"str({value})" for words, value in written)
    inside = "".join(
        _quoted(words)[1:-1].replace("{", "{{").replace("}", "}}")
        if value is None
        else f"{{{value.replace(chr(34), chr(39))}}}"
        for words, value in written
    )
    return f'f"{inside}"'
