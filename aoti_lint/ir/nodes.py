"""The intermediate representation of one Python source.

Small, context-free and JSON-able: what the interpreter needs of a syntax tree and nothing else. Every node carries its
span as UTF-8 byte offsets of the decoded text (half-open). Names are not resolved here and constants are not folded:
both are the interpreter's work.

`aoti_lint.ir.lower` makes these nodes, `aoti_lint.ir.codec` writes them to JSON and reads them back. They are one
table, as the grammar of a language is: what a node may hold is said by the other nodes.
"""

from __future__ import annotations

from collections.abc import Callable
from types import EllipsisType
from typing import TypeAlias

from aoti_lint.lazily.dataclass import dataclass, field

Literal: TypeAlias = bool | int | float | complex | str | bytes | EllipsisType | None


@dataclass(slots=True)
class Node:
    """A piece of source with its place."""

    start: int
    end: int


# ---------------------------------------------------------------- expressions


@dataclass(slots=True)
class Const(Node):
    """A literal, with adjacent string literals joined and the sign of a number folded in."""

    value: Literal


@dataclass(slots=True)
class Name(Node):
    id: str


@dataclass(slots=True)
class Attr(Node):
    base: Expr
    name: str


@dataclass(slots=True)
class Sub(Node):
    """`base[index]`; several indices are a tuple `Seq`, as in Python."""

    base: Expr
    index: Expr


@dataclass(slots=True)
class Slice(Node):
    lower: Expr | None
    upper: Expr | None
    step: Expr | None


@dataclass(slots=True)
class Arg(Node):
    """One argument of a call or class header: `value`, `name=value`, `*value` (stars 1) or `**value` (stars 2)."""

    value: Expr
    name: str | None = None
    stars: int = 0


@dataclass(slots=True)
class Call(Node):
    func: Expr
    args: list[Arg]


@dataclass(slots=True)
class Bin(Node):
    """A binary operation; `op` is the operator as written: `+`, `//`, `@`, `|` …"""

    op: str
    left: Expr
    right: Expr


@dataclass(slots=True)
class Unary(Node):
    """`not`, `-`, `+` or `~`."""

    op: str
    value: Expr


@dataclass(slots=True)
class Bool(Node):
    """`a and b and c` or `a or b or c`, flattened."""

    op: str
    values: list[Expr]


@dataclass(slots=True)
class Compare(Node):
    """`left op right op right …`; operators as written, `not in` and `is not` with one blank."""

    left: Expr
    ops: list[str]
    rights: list[Expr]


@dataclass(slots=True)
class IfExp(Node):
    test: Expr
    body: Expr
    orelse: Expr


@dataclass(slots=True)
class Seq(Node):
    """A display: `kind` is `tuple`, `list` or `set`. Items may be `Star`."""

    kind: str
    items: list[Expr]


@dataclass(slots=True)
class Star(Node):
    """`*value` inside a display, an assignment target, a subscript or a pattern."""

    value: Expr


@dataclass(slots=True)
class DictDisplay(Node):
    """`{key: value}`; a key of None is `**value`."""

    keys: list[Expr | None]
    values: list[Expr]


@dataclass(slots=True)
class Format(Node):
    """An f-string (or t-string): its parts in order, text as `Const`, replacement fields as `FormatField`."""

    parts: list[Expr]


@dataclass(slots=True)
class FormatField(Node):
    value: Expr
    conversion: str | None = None
    spec: list[Expr] = field(default_factory=list)


@dataclass(slots=True)
class Param(Node):
    """A parameter.

    `kind`: `pos` (positional only), `any`, `var` (`*args`), `kw` (keyword only) or `kwvar` (`**kwargs`).
    """

    name: str
    kind: str
    annotation: Expr | None = None
    default: Expr | None = None


@dataclass(slots=True)
class Lambda(Node):
    params: list[Param]
    body: Expr


@dataclass(slots=True)
class Generator(Node):
    """One `for target in iter if …` of a comprehension."""

    target: Expr
    iter: Expr
    tests: list[Expr]
    is_async: bool = False


@dataclass(slots=True)
class Comp(Node):
    """A comprehension: `kind` is `list`, `set`, `dict` or `generator`; `key` only for `dict`."""

    kind: str
    element: Expr
    generators: list[Generator]
    key: Expr | None = None


@dataclass(slots=True)
class Walrus(Node):
    target: Expr
    value: Expr


@dataclass(slots=True)
class Await(Node):
    value: Expr


@dataclass(slots=True)
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


@dataclass(slots=True)
class Assign(Node):
    """`a = b = value`: all targets."""

    targets: list[Expr]
    value: Expr


@dataclass(slots=True)
class AugAssign(Node):
    """`target op= value`; `op` without the `=`."""

    target: Expr
    op: str
    value: Expr


@dataclass(slots=True)
class AnnAssign(Node):
    target: Expr
    annotation: Expr
    value: Expr | None


@dataclass(slots=True)
class ExprStmt(Node):
    value: Expr


@dataclass(slots=True)
class Return(Node):
    value: Expr | None


@dataclass(slots=True)
class Raise(Node):
    exc: Expr | None
    cause: Expr | None


@dataclass(slots=True)
class Assert(Node):
    test: Expr
    message: Expr | None


@dataclass(slots=True)
class Delete(Node):
    targets: list[Expr]


@dataclass(slots=True)
class Scope(Node):
    """`global` or `nonlocal` (`kind`) with its names."""

    kind: str
    names: list[str]


@dataclass(slots=True)
class Jump(Node):
    """`pass`, `break` or `continue`."""

    kind: str


@dataclass(slots=True)
class If(Node):
    test: Expr
    body: list[Stmt]
    orelse: list[Stmt]


@dataclass(slots=True)
class While(Node):
    test: Expr
    body: list[Stmt]
    orelse: list[Stmt]


@dataclass(slots=True)
class For(Node):
    target: Expr
    iter: Expr
    body: list[Stmt]
    orelse: list[Stmt]
    is_async: bool = False


@dataclass(slots=True)
class Handler(Node):
    """`except type as name:`; `type` is None for a bare `except`. `is_star` for `except*`."""

    type: Expr | None
    name: str | None
    body: list[Stmt]
    is_star: bool = False


@dataclass(slots=True)
class Try(Node):
    body: list[Stmt]
    handlers: list[Handler]
    orelse: list[Stmt]
    final: list[Stmt]


@dataclass(slots=True)
class WithItem(Node):
    value: Expr
    target: Expr | None


@dataclass(slots=True)
class With(Node):
    items: list[WithItem]
    body: list[Stmt]
    is_async: bool = False


@dataclass(slots=True)
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


@dataclass(slots=True)
class Case(Node):
    pattern: Pattern
    guard: Expr | None
    body: list[Stmt]


@dataclass(slots=True)
class Match(Node):
    subject: Expr
    cases: list[Case]


@dataclass(slots=True)
class Body(Node):
    """The statements of a function, from the first to the last."""

    statements: list[Stmt]
    is_generator: bool


@dataclass(slots=True)
class Later(Node):
    """A body that is lowered when somebody asks for it: whole lines of the source. `read` takes their span."""

    read: Callable[[int, int], Body] = field(compare=False, repr=False)


@dataclass(slots=True)
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


@dataclass(slots=True)
class ClassDef(Node):
    name: str
    name_start: int
    args: list[Arg]
    body: list[Stmt]
    decorators: list[Expr]


@dataclass(slots=True)
class Alias(Node):
    """`dotted as name` of an import; `name` is None without `as`."""

    dotted: str
    name: str | None


@dataclass(slots=True)
class Import(Node):
    names: list[Alias]


@dataclass(slots=True)
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


@dataclass(slots=True)
class Module(Node):
    """A whole source. `path` is relative to the project root, with `/`."""

    path: str
    body: list[Stmt]
