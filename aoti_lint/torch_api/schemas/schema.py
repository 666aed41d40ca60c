"""The schema of an operator, its arguments, and the error of one that torch refuses (see `parser`)."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from aoti_lint.lazily.dataclass import dataclass

Kind: TypeAlias = Literal["syntax", "type", "default", "overload"]


class SchemaError(ValueError):
    """A schema that torch refuses.

    `offset` is where in the text; `kind` is "syntax", "type" (an unknown type: an opaque type of this name may be
    registered), "default" or "overload".
    """

    def __init__(self, message: str, offset: int, kind: Kind = "syntax", hint: str = "") -> None:
        super().__init__(message)
        self.offset = offset
        self.kind: Kind = kind
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument or return of an operator.

    `type` is as torch writes it and without alias annotations: `Tensor?[]`, `SymInt[2]`, `Dict(str, int)`; empty where
    it is not known. `alias` is the set in `Tensor(a!)`, `a`; `default` the text of the default, None without one.
    """

    name: str
    type: str
    alias: str = ""
    mutable: bool = False
    default: str | None = None
    keyword_only: bool = False
    offset: int = 0

    @property
    def element(self) -> str:
        """The type without lists and optionals: `SymInt` of `SymInt[]?`."""
        return re.sub(r"(\[\d*\]|\?)+$", "", self.type)

    @property
    def is_tensor(self) -> bool:
        """A tensor, or a list or optional of tensors."""
        return self.element == "Tensor"

    @property
    def is_list(self) -> bool:
        return self.type.endswith(("]", "]?"))

    @property
    def optional(self) -> bool:
        return self.type.endswith("?")


@dataclass(frozen=True, slots=True)
class Schema:
    """The schema of an operator. `name` is `ns::op` or `op`.

    `open`: it takes more arguments (`...`); `open_returns`: it returns more.
    """

    name: str
    overload: str
    arguments: tuple[Argument, ...]
    returns: tuple[Argument, ...]
    open: bool = False
    open_returns: bool = False

    def argument(self, name: str) -> Argument | None:
        return next((a for a in self.arguments if a.name == name), None)

    @property
    def positional(self) -> tuple[Argument, ...]:
        """The arguments that may be given by position."""
        return tuple(a for a in self.arguments if not a.keyword_only)

    @property
    def mutates(self) -> tuple[str, ...]:
        """The names of the arguments that the op changes."""
        return tuple(a.name for a in self.arguments if a.mutable)
