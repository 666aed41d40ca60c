"""Expressions over sizes as C++."""

from __future__ import annotations

from collections.abc import Callable

from aoti_lint.program.symbolic import Const, Expr, Op

_INFIX = {"+": 3, "-": 3, "*": 4, "==": 2, "!=": 2, "<": 2, "<=": 2, ">": 2, ">=": 2, "and": 1, "or": 0}
_WRITTEN = {"and": "&&", "or": "||"}
_CALLS = {
    "//": "floor_div({})", "%": "floor_mod({})", "**": "power({})", "max": "std::max<int64_t>({{{}}})",
    "min": "std::min<int64_t>({{{}}})", "abs": "std::abs({})", "math.ceil": "static_cast<int64_t>(std::ceil({}))",
    "math.floor": "static_cast<int64_t>(std::floor({}))", "math.trunc": "static_cast<int64_t>(std::trunc({}))",
    "int": "static_cast<int64_t>(std::trunc({}))", "float": "static_cast<double>({})", "/": "divide({})",
    "math.sqrt": "std::sqrt(static_cast<double>({}))",
}  # fmt: skip


class Unwritable(Exception):
    """The expression has no equal in C++."""


def cpp(expr: Expr, leaf: Callable[[Expr], str], level: int = -1) -> str:
    """The expression; `leaf` writes symbols and sizes. Raises `Unwritable`."""
    match expr:
        case Const(bool() as value):
            return "true" if value else "false"
        case Const(value) if value == value and abs(value) != float("inf"):
            text = repr(value)
            return f"({text})" if text.startswith("-") and level > 2 else text
        case Const():
            raise Unwritable(str(expr))
        case Op(name, args) if name in _INFIX:
            own = _INFIX[name]
            parts = [cpp(arg, leaf, own + (index > 0 and name == "-")) for index, arg in enumerate(args)]
            if name in ("==", "!=", "<", "<=", ">", ">="):
                parts = [cpp(arg, leaf, own + 1) for arg in args]
            text = f" {_WRITTEN.get(name, name)} ".join(parts)
            return f"({text})" if own < level or (own < 2 and level >= 0 and own != level) else text
        case Op(name, args) if name in _CALLS:
            return _CALLS[name].format(", ".join(cpp(arg, leaf) for arg in args))
        case Op("neg", (inner,)):
            return f"-{cpp(inner, leaf, 5)}"
        case Op("not", (inner,)):
            return f"!{cpp(inner, leaf, 5)}"
        case Op("where", (condition, first, second)):
            return f"({cpp(condition, leaf, 2)} ? {cpp(first, leaf, 2)} : {cpp(second, leaf, 2)})"
        case Op(name):
            raise Unwritable(name)
        case _:
            return leaf(expr)
