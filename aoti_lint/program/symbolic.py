"""Expressions over sizes, as torch writes them into a program, without sympy.

torch writes a size as `sympy.srepr` does (`Mul(Integer(2), Symbol('s77', positive=True, integer=True))`; up to 2.5 as
`2*s0`), and a guard as Python over the inputs (`L['x'].size()[0] % 2 == 0`). Both are read with Python's own parser,
never evaluated by it, and printed as Python over symbols and dims (`2*s77`, `x.shape[0] % 2 == 0`).

Sources: `torch/_export/serde/serialize.py` (`_print_sympy`), `torch/utils/_sympy/functions.py`,
`torch/fx/experimental/symbolic_shapes.py` (`produce_guards_verbose`).
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from aoti_lint.program.errors import Unreadable

MAX_TEXT = 20_000
"""Characters of one expression. Longer ones come from no model that anybody could read the guards of."""

MAX_POWER = 64
"""The largest exponent that is worked out; sizes have small ones."""

MAX_BITS = 256
"""Of a whole number, given or worked out; sizes have 64, and products of some of them more."""

MAX_DEPTH = 100
"""Operations in each other."""

Number = int | float | bool


@dataclass(frozen=True, slots=True)
class Const:
    value: Number


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol of the program, such as `s77` or the unbacked `u0`."""

    name: str


@dataclass(frozen=True, slots=True)
class Dim:
    """A size, stride or value of an input: `path` is how Python reaches the input, `index` None for a plain number."""

    path: str
    index: int | None
    what: str = "shape"


@dataclass(frozen=True, slots=True)
class Op:
    """An operator or function; one that is in neither `FUNCTIONS` nor `_LEVELS` is not known, and has no value."""

    name: str
    args: tuple[Expr, ...]


Expr = Const | Symbol | Dim | Op


def parse(text: str) -> Expr:
    """The expression that `text` is. Raises `Unreadable` for what is none."""
    if len(text) > MAX_TEXT:
        raise Unreadable(f"an expression of {len(text)} characters is too long to look into")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text.strip(), mode="eval")
        expr = _lower(tree.body)
        if _is_deeper(expr, MAX_DEPTH):
            raise RecursionError
        return expr
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise Unreadable(f"this is no expression over sizes: {text[:80]}") from None


def _is_deeper(expr: Expr, depth: int) -> bool:
    """Whether operations stand in each other more than `depth` deep."""
    level = [expr]
    for _ in range(depth):
        level = [arg for one in level if isinstance(one, Op) for arg in one.args]
    return bool(level)


def symbols(expr: Expr) -> set[str]:
    """The names of the symbols in an expression."""
    match expr:
        case Symbol(name):
            return {name}
        case Op(args=args):
            return set().union(*map(symbols, args)) if args else set()
        case _:
            return set()


def dims(expr: Expr) -> set[Dim]:
    """The sizes of inputs in an expression."""
    match expr:
        case Dim():
            return {expr}
        case Op(args=args):
            return set().union(*map(dims, args)) if args else set()
        case _:
            return set()


def replace(expr: Expr, change: Callable[[Expr], Expr | None]) -> Expr:
    """The expression with every leaf replaced for which `change` gives something else than None."""
    if isinstance(expr, Op):
        return Op(expr.name, tuple(replace(arg, change) for arg in expr.args))
    return change(expr) or expr


def evaluate(expr: Expr, values: Mapping[Expr, Number]) -> Number | None:
    """The value of an expression for these symbols and dims; None where it is unknown or has none."""
    match expr:
        case Const(value):
            return value
        case Op("and" | "or" as name, args):
            return _logical(name == "and", args, values)
        case Op("where", (condition, first, second)):
            chosen = evaluate(condition, values)
            return None if chosen is None else evaluate(first if chosen else second, values)
        case Op(name, args):
            function = FUNCTIONS.get(name)
            known = [evaluate(arg, values) for arg in args]
            if function is None or any(value is None for value in known):
                return None
            try:
                value = function(*known)
            except (ArithmeticError, ValueError, TypeError):
                return None
            return value if not isinstance(value, int) or value.bit_length() <= MAX_BITS else None
        case _:
            return values.get(expr)


def _logical(is_and: bool, args: tuple[Expr, ...], values: Mapping[Expr, Number]) -> Number | None:
    """`and` and `or` as Python has them: they end at the first value that decides, and are worth that value."""
    value: Number | None = None
    for arg in args:
        value = evaluate(arg, values)
        if value is None or bool(value) is not is_and:
            break
    return value


def python(expr: Expr) -> str:
    """The expression as Python, with no more brackets than it needs."""
    return _python(expr, 0)


def _power(base: Number, exponent: Number) -> Number:
    if abs(exponent) > MAX_POWER:
        raise ValueError("too large")
    return base**exponent


def _rounded(value: Number, digits: int | None = None) -> Number:
    if digits is not None and abs(digits) > MAX_POWER:
        raise ValueError("too large")
    return round(value, digits)


def _product(*factors: Number) -> Number:
    return math.prod(factors)


def _sum(*terms: Number) -> Number:
    return sum(terms)


def _exact(a: Number, b: Number) -> Number:
    """True division that stays a whole number where it is one, as sympy's rationals do."""
    return a // b if isinstance(a, int) and isinstance(b, int) and b and a % b == 0 else a / b


FUNCTIONS: dict[str, Callable[..., Number]] = {
    "+": _sum,
    "*": _product,
    "-": lambda a, b: a - b,
    "neg": lambda a: -a,
    "/": _exact,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "**": _power,
    "max": max,
    "min": min,
    "abs": abs,
    "int": int,
    "float": float,
    "round": _rounded,
    "math.ceil": math.ceil,
    "math.floor": math.floor,
    "math.trunc": math.trunc,
    "math.sqrt": math.sqrt,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "not": lambda a: not a,
}

_NAMES = {
    "Add": "+", "Mul": "*", "Pow": "**", "PowByNatural": "**", "FloatPow": "**", "FloorDiv": "//", "CleanDiv": "//",
    "IntTrueDiv": "/", "FloatTrueDiv": "/", "Mod": "%", "PythonMod": "%", "Max": "max", "Min": "min", "max": "max",
    "min": "min", "Abs": "abs", "abs": "abs", "CeilToInt": "math.ceil", "ceiling": "math.ceil", "ceil": "math.ceil",
    "FloorToInt": "math.floor", "floor": "math.floor", "TruncToInt": "int", "TruncToFloat": "math.trunc",
    "RoundToInt": "round", "ToFloat": "float", "int": "int", "float": "float", "round": "round",
    "torch.sym_float": "float", "torch.sym_int": "int", "torch.sym_max": "max", "torch.sym_min": "min",
    "torch.sym_not": "not", "torch._sym_sqrt": "math.sqrt", "OpaqueUnaryFn_sqrt": "math.sqrt",
    "math.ceil": "math.ceil", "math.floor": "math.floor", "math.trunc": "math.trunc", "math.sqrt": "math.sqrt",
    "Equality": "==", "Eq": "==", "Unequality": "!=", "Ne": "!=", "StrictLessThan": "<", "Lt": "<", "LessThan": "<=",
    "Le": "<=", "StrictGreaterThan": ">", "Gt": ">", "GreaterThan": ">=", "Ge": ">=", "And": "and", "Or": "or",
    "Not": "not", "Where": "where",
}  # fmt: skip

_SAME = {"Identity", "cast_symbool_to_symint_guardless"}
"""Functions that give back what they are given."""

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_METHODS = {"size": "shape", "stride": "stride", "storage_offset": "storage_offset"}


def _lower(node: ast.expr) -> Expr:
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            return _const(value)
        case ast.Name(id="True" | "true"):
            return Const(True)
        case ast.Name(id="False" | "false"):
            return Const(False)
        case ast.Name(id="oo" | "int_oo"):
            return Const(math.inf)
        case ast.Name(id=name):
            return Symbol(name)
        case ast.BinOp(left, op, right) if type(op) in _BINARY:
            return _flat(_BINARY[type(op)], (_lower(left), _lower(right)))
        case ast.UnaryOp(ast.USub(), operand):
            inner = _lower(operand)
            return Const(-inner.value) if isinstance(inner, Const) else Op("neg", (inner,))
        case ast.UnaryOp(ast.Not(), operand):
            return Op("not", (_lower(operand),))
        case ast.BoolOp(op, values):
            return Op("and" if isinstance(op, ast.And) else "or", tuple(map(_lower, values)))
        case ast.Compare(left, ops, comparators):
            return _chain(left, ops, comparators)
        case ast.IfExp(test, body, orelse):
            return Op("where", (_lower(test), _lower(body), _lower(orelse)))
        case ast.Subscript() | ast.Attribute():
            return _reference(node)
        case ast.Call():
            return _call(node)
        case _:
            raise ValueError(type(node).__name__)


def _const(value: Number) -> Const:
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise ValueError("too large")
    return Const(value)


def _chain(left: ast.expr, ops: list[ast.cmpop], comparators: list[ast.expr]) -> Expr:
    parts: list[Expr] = []
    first = _lower(left)
    for op, comparator in zip(ops, comparators, strict=True):
        second = _lower(comparator)
        parts.append(Op(_COMPARE.get(type(op), type(op).__name__), (first, second)))
        first = second
    return parts[0] if len(parts) == 1 else Op("and", tuple(parts))


def _call(node: ast.Call) -> Expr:
    if isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS and not node.args:
        return _dim(node.func, None)
    name = ast.unparse(node.func)
    plain = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else None
    if name in ("Symbol", "Dummy") and isinstance(plain, str):
        return Symbol(plain)
    if name in ("Integer", "Float") and plain is not None:
        return _const(int(str(plain)) if name == "Integer" else float(str(plain)))
    if name == "Integer" and len(node.args) == 1:
        return _lower(node.args[0])
    args = tuple(map(_lower, node.args))
    if name == "Rational" and len(args) == 2:
        return Op("/", args)
    if name in _SAME and len(args) == 1:
        return args[0]
    return _flat(_NAMES.get(name, name), args)


def _flat(name: str, args: tuple[Expr, ...]) -> Expr:
    """An operation; sums and products are kept as one list, so that long ones are not deep."""
    if name in ("+", "*"):
        parts = [part for arg in args for part in (arg.args if isinstance(arg, Op) and arg.name == name else (arg,))]
        return Op(name, tuple(parts))
    return Op(name, args)


def _reference(node: ast.Subscript | ast.Attribute) -> Expr:
    """`L['x'].size()[0]`, or `L['k']` for an input that is a number."""
    match node:
        case ast.Subscript(ast.Call(func=ast.Attribute(attr="size" | "stride") as method), ast.Constant(index)):
            return _dim(method, index)
        case ast.Subscript(ast.Attribute(attr="shape") as sizes, ast.Constant(index)):
            return _dim(sizes, index)
        case _:
            return Dim(_path(node), None, "value")


def _dim(function: ast.Attribute, index: object) -> Dim:
    if index is not None and not isinstance(index, int):
        raise ValueError("a dim has a number")
    return Dim(_path(function.value), index, _METHODS.get(function.attr, "shape"))


def _path(node: ast.expr) -> str:
    """How Python reaches an input, without the `L[...]` that torch puts around the names of parameters."""
    match node:
        case ast.Subscript(ast.Name("L"), ast.Constant(str() as name)):
            return name
        case ast.Subscript(value, ast.Constant(value=str() | int() as key)):
            return f"{_path(value)}[{key!r}]"
        case ast.Attribute(value, attr):
            return f"{_path(value)}.{attr}"
        case ast.Name(name):
            return name
        case _:
            raise ValueError(type(node).__name__)


_LEVELS = {
    "where": 1, "or": 2, "and": 3, "not": 4, "==": 5, "!=": 5, "<": 5, "<=": 5, ">": 5, ">=": 5, "+": 6, "-": 6,
    "*": 7, "/": 7, "//": 7, "%": 7, "neg": 8, "**": 9,
}  # fmt: skip


def _python(expr: Expr, level: int) -> str:
    match expr:
        case Const(value):
            text = repr(value)
            return f"({text})" if level > 6 and text.startswith("-") else text
        case Symbol(name):
            return name
        case Dim(path, index, what):
            if what == "value":
                return path
            return f"{path}.shape[{index}]" if what == "shape" else f"{path}.{what}({'' if index is None else index})"
        case Op(name, args):
            own = _LEVELS.get(name)
            if own is None:
                return f"{name}({', '.join(_python(arg, 0) for arg in args)})"
            text = _operator(name, args, own)
            return f"({text})" if own < level else text


def _operator(name: str, args: tuple[Expr, ...], own: int) -> str:
    if name == "where":
        condition, first, second = (_python(arg, own + 1) for arg in args)
        return f"{first} if {condition} else {second}"
    if name == "neg":
        return f"-{_python(args[0], own)}"
    if name == "not":
        return f"not {_python(args[0], own)}"
    if name == "+":
        text = _python(args[0], own)
        for arg in args[1:]:
            part = _python(arg, own)
            # `a + -7//2` is not `a - 7//2`: only a product may give its sign away.
            signed = isinstance(arg, Const) or (isinstance(arg, Op) and arg.name in ("neg", "*"))
            text += f" - {part[1:]}" if signed and part.startswith("-") else f" + {part}"
        return text
    between = name if name in ("*", "**") else f" {name} " if own < 7 or name == "%" else name
    rest = [_python(arg, own + 1) for arg in args[1:]]
    # `a - b - c` and `a // b // c` associate to the left, a power to the right.
    first = _python(args[0], own + 1 if name == "**" or own == 5 else own)
    return between.join([first, *rest])
