"""The intermediate representation of one Python source.

Small, context-free and JSON-able: what the interpreter needs of a libcst tree and nothing else. Every node carries its
span as UTF-8 byte offsets of the decoded text (half-open). Names are not resolved here and constants are not folded:
both are the interpreter's work.

`aoti_lint.ir.lower` makes these nodes, `aoti_lint.ir.codec` writes them to JSON and reads them back. They are one
table, as the grammar of a language is: what a node may hold is said by the other nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from types import EllipsisType
from typing import TypeAlias

from aoti_lint.lazily.dataclass import dataclass, field, fields

Literal: TypeAlias = bool | int | float | complex | str | bytes | EllipsisType | None


@dataclass(slots=True, repr=False, eq=False)
class Node:
    """A piece of source with its place.

    Comparing and showing stand here once: making these methods for every class would double what importing takes.
    """

    start: int
    end: int

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(getattr(self, n) == getattr(other, n) for n in self._compared())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in self._compared())})"

    def _compared(self) -> list[str]:
        return [field.name for field in fields(self) if field.compare]


# ---------------------------------------------------------------- expressions


@dataclass(slots=True, repr=False, eq=False)
class Const(Node):
    """A literal, with adjacent string literals joined and the sign of a number folded in."""

    value: Literal


@dataclass(slots=True, repr=False, eq=False)
class Name(Node):
    id: str


@dataclass(slots=True, repr=False, eq=False)
class Attr(Node):
    base: Expr
    name: str


@dataclass(slots=True, repr=False, eq=False)
class Sub(Node):
    """`base[index]`; several indices are a tuple `Seq`, as in Python."""

    base: Expr
    index: Expr


@dataclass(slots=True, repr=False, eq=False)
class Slice(Node):
    lower: Expr | None
    upper: Expr | None
    step: Expr | None


@dataclass(slots=True, repr=False, eq=False)
class Arg(Node):
    """One argument of a call or class header: `value`, `name=value`, `*value` (stars 1) or `**value` (stars 2)."""

    value: Expr
    name: str | None = None
    stars: int = 0


@dataclass(slots=True, repr=False, eq=False)
class Call(Node):
    func: Expr
    args: list[Arg]


@dataclass(slots=True, repr=False, eq=False)
class Bin(Node):
    """A binary operation; `op` is the operator as written: `+`, `//`, `@`, `|` …"""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True, repr=False, eq=False)
class Unary(Node):
    """`not`, `-`, `+` or `~`."""

    op: str
    value: Expr


@dataclass(slots=True, repr=False, eq=False)
class Bool(Node):
    """`a and b and c` or `a or b or c`, flattened."""

    op: str
    values: list[Expr]


@dataclass(slots=True, repr=False, eq=False)
class Compare(Node):
    """`left op right op right …`; operators as written, `not in` and `is not` with one blank."""

    left: Expr
    ops: list[str]
    rights: list[Expr]


@dataclass(slots=True, repr=False, eq=False)
class IfExp(Node):
    test: Expr
    body: Expr
    orelse: Expr


@dataclass(slots=True, repr=False, eq=False)
class Seq(Node):
    """A display: `kind` is `tuple`, `list` or `set`. Items may be `Star`."""

    kind: str
    items: list[Expr]


@dataclass(slots=True, repr=False, eq=False)
class Star(Node):
    """`*value` inside a display, an assignment target, a subscript or a pattern."""

    value: Expr


@dataclass(slots=True, repr=False, eq=False)
class DictDisplay(Node):
    """`{key: value}`; a key of None is `**value`."""

    keys: list[Expr | None]
    values: list[Expr]


@dataclass(slots=True, repr=False, eq=False)
class Format(Node):
    """An f-string (or t-string): its parts in order, text as `Const`, replacement fields as `FormatField`."""

    parts: list[Expr]


@dataclass(slots=True, repr=False, eq=False)
class FormatField(Node):
    value: Expr
    conversion: str | None = None
    spec: list[Expr] = field(default_factory=list)


@dataclass(slots=True, repr=False, eq=False)
class Param(Node):
    """A parameter.

    `kind`: `pos` (positional only), `any`, `var` (`*args`), `kw` (keyword only) or `kwvar` (`**kwargs`).
    """

    name: str
    kind: str
    annotation: Expr | None = None
    default: Expr | None = None


@dataclass(slots=True, repr=False, eq=False)
class Lambda(Node):
    params: list[Param]
    body: Expr


@dataclass(slots=True, repr=False, eq=False)
class Generator(Node):
    """One `for target in iter if …` of a comprehension."""

    target: Expr
    iter: Expr
    tests: list[Expr]
    is_async: bool = False


@dataclass(slots=True, repr=False, eq=False)
class Comp(Node):
    """A comprehension: `kind` is `list`, `set`, `dict` or `generator`; `key` only for `dict`."""

    kind: str
    element: Expr
    generators: list[Generator]
    key: Expr | None = None


@dataclass(slots=True, repr=False, eq=False)
class Walrus(Node):
    target: Expr
    value: Expr


@dataclass(slots=True, repr=False, eq=False)
class Await(Node):
    value: Expr


@dataclass(slots=True, repr=False, eq=False)
class Yield(Node):
    value: Expr | None
    is_from: bool = False


Expr: TypeAlias = (
    Const
    | Name
    | Attr
    | Sub
    | Slice
    | Call
    | Bin
    | Unary
    | Bool
    | Compare
    | IfExp
    | Seq
    | Star
    | DictDisplay
    | Format
    | FormatField
    | Lambda
    | Comp
    | Walrus
    | Await
    | Yield
)


# ---------------------------------------------------------------- statements


@dataclass(slots=True, repr=False, eq=False)
class Assign(Node):
    """`a = b = value`: all targets."""

    targets: list[Expr]
    value: Expr


@dataclass(slots=True, repr=False, eq=False)
class AugAssign(Node):
    """`target op= value`; `op` without the `=`."""

    target: Expr
    op: str
    value: Expr


@dataclass(slots=True, repr=False, eq=False)
class AnnAssign(Node):
    target: Expr
    annotation: Expr
    value: Expr | None


@dataclass(slots=True, repr=False, eq=False)
class ExprStmt(Node):
    value: Expr


@dataclass(slots=True, repr=False, eq=False)
class Return(Node):
    value: Expr | None


@dataclass(slots=True, repr=False, eq=False)
class Raise(Node):
    exc: Expr | None
    cause: Expr | None


@dataclass(slots=True, repr=False, eq=False)
class Assert(Node):
    test: Expr
    message: Expr | None


@dataclass(slots=True, repr=False, eq=False)
class Delete(Node):
    targets: list[Expr]


@dataclass(slots=True, repr=False, eq=False)
class Scope(Node):
    """`global` or `nonlocal` (`kind`) with its names."""

    kind: str
    names: list[str]


@dataclass(slots=True, repr=False, eq=False)
class Jump(Node):
    """`pass`, `break` or `continue`."""

    kind: str


@dataclass(slots=True, repr=False, eq=False)
class If(Node):
    test: Expr
    body: list[Stmt]
    orelse: list[Stmt]


@dataclass(slots=True, repr=False, eq=False)
class While(Node):
    test: Expr
    body: list[Stmt]
    orelse: list[Stmt]


@dataclass(slots=True, repr=False, eq=False)
class For(Node):
    target: Expr
    iter: Expr
    body: list[Stmt]
    orelse: list[Stmt]
    is_async: bool = False


@dataclass(slots=True, repr=False, eq=False)
class Handler(Node):
    """`except type as name:`; `type` is None for a bare `except`. `is_star` for `except*`."""

    type: Expr | None
    name: str | None
    body: list[Stmt]
    is_star: bool = False


@dataclass(slots=True, repr=False, eq=False)
class Try(Node):
    body: list[Stmt]
    handlers: list[Handler]
    orelse: list[Stmt]
    final: list[Stmt]


@dataclass(slots=True, repr=False, eq=False)
class WithItem(Node):
    value: Expr
    target: Expr | None


@dataclass(slots=True, repr=False, eq=False)
class With(Node):
    items: list[WithItem]
    body: list[Stmt]
    is_async: bool = False


@dataclass(slots=True, repr=False, eq=False)
class Pattern(Node):
    """A `case` pattern.

    `kind`: `value` (expression in `value`), `capture` (`name`, or None for `_`; inner pattern in `patterns`), `or`,
    `sequence`, `star` (`name`), `mapping` (`keys` and `patterns`, rest in `name`), `class` (`value` is the class,
    `patterns` positional then keyword, `keywords` the names of the last ones).
    """

    kind: str
    value: Expr | None = None
    name: str | None = None
    patterns: list[Pattern] = field(default_factory=list)
    keys: list[Expr] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)


@dataclass(slots=True, repr=False, eq=False)
class Case(Node):
    pattern: Pattern
    guard: Expr | None
    body: list[Stmt]


@dataclass(slots=True, repr=False, eq=False)
class Match(Node):
    subject: Expr
    cases: list[Case]


@dataclass(slots=True, repr=False, eq=False)
class Body(Node):
    """The statements of a function, from the first to the last."""

    statements: list[Stmt]
    is_generator: bool


@dataclass(slots=True, repr=False, eq=False)
class Later(Node):
    """A body that is lowered when somebody asks for it: whole lines of the source. `read` takes their span."""

    read: Callable[[int, int], Body] = field(compare=False)


@dataclass(slots=True, repr=False, eq=False)
class FunctionDef(Node):
    """A function. The span is the whole statement, `name_start` the offset of its name (decorators come first)."""

    name: str
    name_start: int
    params: list[Param]
    code: Body | Later
    decorators: list[Expr]
    returns: Expr | None
    is_async: bool

    @property
    def body(self) -> list[Stmt]:
        return self._read().statements

    @property
    def is_generator(self) -> bool:
        return self._read().is_generator

    def _read(self) -> Body:
        if isinstance(self.code, Later):
            self.code = self.code.read(self.code.start, self.code.end)
        return self.code


@dataclass(slots=True, repr=False, eq=False)
class ClassDef(Node):
    name: str
    name_start: int
    args: list[Arg]
    body: list[Stmt]
    decorators: list[Expr]


@dataclass(slots=True, repr=False, eq=False)
class Alias(Node):
    """`dotted as name` of an import; `name` is None without `as`."""

    dotted: str
    name: str | None


@dataclass(slots=True, repr=False, eq=False)
class Import(Node):
    names: list[Alias]


@dataclass(slots=True, repr=False, eq=False)
class ImportFrom(Node):
    """`from ..module import a as b`; `level` counts the dots; `is_star` for `import *`."""

    module: str
    level: int
    names: list[Alias]
    is_star: bool = False


Stmt: TypeAlias = (
    Assign
    | AugAssign
    | AnnAssign
    | ExprStmt
    | Return
    | Raise
    | Assert
    | Delete
    | Scope
    | Jump
    | If
    | While
    | For
    | Try
    | With
    | Match
    | FunctionDef
    | ClassDef
    | Import
    | ImportFrom
)


@dataclass(slots=True, repr=False, eq=False)
class Module(Node):
    """A whole source. `path` is relative to the project root, with `/`."""

    path: str
    body: list[Stmt]
