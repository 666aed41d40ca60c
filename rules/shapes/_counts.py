"""How many tensors a call gives, which a package counts whatever else it does not check."""

from __future__ import annotations

from collections.abc import Iterable

from aoti_lint.rule.inputs import flattened, kind_of_leaf
from aoti_lint.rule.values import Value

GIVE = "give a tensor where the example was one, and a number or None where it was none"
"""What to do about another number of them."""


def tensor_count(values: Iterable[Value]) -> int | None:
    """How many tensors there are among values; None if that is not known."""
    kinds = [kind_of_leaf(leaf) for value in values for _, leaf in flattened(value, "")]
    return None if "unknown" in kinds else kinds.count("tensor")


def shown(count: int) -> str:
    """A number of tensors, in words."""
    return "one tensor" if count == 1 else f"{count} tensors" if count else "no tensor"
