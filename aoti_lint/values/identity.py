"""What values are known by: texts that are the same for two values exactly if these are known to be the same."""

from __future__ import annotations

from aoti_lint.files.cache import content_hash
from aoti_lint.values.meter import METER
from aoti_lint.values.sizes.symbols import Expr
from aoti_lint.values.torch_values import Device, Loaded, Package, Program, Tensor
from aoti_lint.values.values import (
    Bound,
    Choice,
    Class,
    Const,
    Func,
    Many,
    Namespace,
    Obj,
    Pairs,
    Partial,
    PathValue,
    Ref,
    Size,
    Sym,
    Text,
    Tup,
    Unknown,
    Value,
)

MAX_IDENT = 240


def ident(value: Value) -> str:
    """A stable text that is the same for two values exactly if they are known to be the same."""
    METER.spend()
    full = _ident(value)
    if len(full) <= MAX_IDENT:
        return full
    # Identities are put together from identities: without a bound they would double with every operator.
    return f"{full[:80]}…{content_hash(full.encode('utf-8', 'surrogatepass'))}"


def _ident(value: Value) -> str:
    match value:
        case Const(v):
            return repr(v)
        case Sym(key) | Unknown(key):
            return f"<{key}>"
        case Choice(cond, then, other):
            return f"({cond.key!r}?{ident(then)}:{ident(other)})"
        case Text(parts):
            return "+".join(ident(p) for p in parts)
        case PathValue(text):
            return ident(text)
        case Tup(items):
            return f"({','.join(ident(i) for i in items)})"
        case Ref(name):
            return name
        case Device():
            return f"device:{value}"
        case Tensor(key):
            return f"tensor:{key}"
        case Namespace(path):
            return f"module:{path}"
        case Bound(receiver, name):
            return f"{ident(receiver)}.{name}"
        case Partial(func, args, kwargs):
            return (
                f"partial:{ident(func)}({','.join(map(ident, args))};{','.join(k + '=' + ident(v) for k, v in kwargs)})"
            )
        case Pairs(pairs):
            return f"{{{','.join(ident(k) + ':' + ident(v) for k, v in pairs)}}}"
        case Many(element):
            return f"*{ident(element)}"
        case Obj(number) | Func(number) | Class(number) | Program(number) | Package(number) | Loaded(number):
            return f"{type(value).__name__}#{number}"
        case _:
            return repr(value)


def expr_of(value: Value) -> Expr:
    """A number as an expression of open sizes."""
    if isinstance(value, Size):
        return value.expr
    if isinstance(value, Const) and isinstance(value.value, int | float):
        return Expr("const", value.value)
    return Expr("other", ident(value))


def combined(op: str, *values: Value) -> Value:
    """`op` of numbers of which one is an open size: the same size for the same operands."""
    return Size(f"{op}({','.join(map(ident, values))})", "a size", Expr(op, *map(expr_of, values)))
