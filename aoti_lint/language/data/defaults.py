"""What a value is where all that the user may choose is as it is by default."""

from __future__ import annotations

from aoti_lint.language.data import texts
from aoti_lint.lazily.dataclass import replace
from aoti_lint.values.choices import is_known
from aoti_lint.values.conditions import usual
from aoti_lint.values.torch_values import DimValue, Tensor
from aoti_lint.values.values import Choice, PathValue, Sym, Text, Tup, Value


def by_default(value: Value) -> Value:
    """A value with every option and variable in it at its default, and where branches leave several, the usual one."""
    match value:
        case Sym(default=default) if default is not None:
            return by_default(default)
        case Text(parts):
            return texts.concat([by_default(p) for p in parts])
        case PathValue(text):
            return PathValue(by_default(text))
        case Choice(cond, then, other):
            first, second = by_default(then), by_default(other)
            expected = usual(cond)
            if expected is None:
                return first if is_known(first) else second
            return first if expected else second
        case Tup(items):
            return Tup(tuple(by_default(i) for i in items))
        case Tensor(shape=sizes) if sizes is not None:
            return replace(value, shape=tuple(map(by_default, sizes)))
        case DimValue(min=least, max=most):
            return replace(value, min=by_default(least), max=by_default(most))
        case _:
            return value
