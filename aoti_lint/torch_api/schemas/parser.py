"""Reads schemas of operators.

`parse` reads `ns::name.overload(Tensor(a!) x, SymInt[] sizes, *, float eps=1e-5) -> (Tensor, Tensor(a))` and refuses
what torch refuses. The grammar is that of `torch/csrc/jit/frontend/{lexer.h,schema_type_parser.h,
function_schema_parser.h}` of release 2.13.0, asked with `torch._C.parse_schema(text, False)` on torch 2.13: `define`
does not allow type variables (`f(t x)`) either.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.lazily.regex import regex
from aoti_lint.torch_api.schemas.schema import Argument, Schema, SchemaError

BASE_TYPES = frozenset({
    "Any", "AnyClassType", "AnyEnumType", "Capsule", "ConstQuantizerPtr", "Device", "DeviceIndex", "Generator",
    "Layout", "MemoryFormat", "None", "NoneType", "QScheme", "Quantizer", "Scalar", "ScalarType", "Storage", "Stream",
    "SymBool", "SymInt", "Tensor", "bool", "complex", "float", "int", "str",
})  # fmt: skip
"""The types a schema can name, besides `Dict(…)`, tuples, `__torch__.…` classes and registered opaque types."""
WRAPPERS = ("Future", "RRef", "Await", "Dict", "Union")
WRITTEN_OTHERWISE = {
    "int64_t": "SymInt or int", "double": "float", "Int": "int", "Symint": "SymInt", "symint": "SymInt",
    "tensor": "Tensor", "String": "str", "string": "str", "Bool": "bool",
    "Float": "float", "Optional": "T?", "optional": "T?", "List": "T[]", "list": "T[]", "Sequence": "T[]",
    "Tuple": "(T, T)", "tuple": "(T, T)", "dtype": "ScalarType", "Dtype": "ScalarType", "device": "Device",
    "Number": "Scalar", "number": "Scalar", "SymFloat": "float", "int32_t": "int", "size_t": "SymInt or int",
}  # fmt: skip
"""What is meant by names of types that torch does not know in a schema."""
KEYWORDS = frozenset({
    "def", "if", "else", "elif", "while", "return", "is", "True", "False", "None", "and", "or", "not", "global", "for",
    "in", "raise", "assert", "break", "continue", "del", "pass", "class", "import", "with", "as", "Ellipsis",
    "NoneType",
})  # fmt: skip
"""Words that cannot be names (`torch/csrc/jit/frontend/lexer.h:28`, release 2.13.0)."""
DEFAULT_WORDS = frozenset({"strided", "Mean", "contiguous_format", "long", "float"})
"""Words that may be the default of any scalar argument."""
DTYPE_WORDS = regex(
    r"(u?int\d*|b?float\d+(_\w+)?|half|double|long|short|bool|complex(32|64|128)|chalf|cfloat|cdouble|quint\w+|qint\w+"
    r"|bits\w+)$"
)
"""Words that may be the default of a `ScalarType`."""


MAX_TEXT = 20_000
"""Characters of a schema; the longest of torch has 2,000."""
MAX_DEPTH = 50
"""Types in each other."""


@lru_cache(1024)
def parse(text: str) -> Schema:
    """The schema that `text` says.

    Raises:
        SchemaError: torch refuses it.
    """
    if len(text) > MAX_TEXT:
        raise SchemaError(f"a schema has up to {MAX_TEXT} characters, this one {len(text)}", 0)
    return _Parser(text).schema()


_TOKEN = regex(
    r"""(?P<skip>[ \t]+|\\\n|\#[^\n]*)|(?P<newline>\n)"""
    r"""|(?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)j?)"""
    r'''|(?P<string>"""(?:.|\n)*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')'''
    r"""|(?P<word>[A-Za-z_][A-Za-z0-9_]*)|(?P<mark>->|\.\.\.|\*\*|==|<=|>=|!=|//|[()\[\]{}:,.=!?*|+\-/%<>&^@~])"""
)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    offset: int


def _tokens(text: str) -> list[_Token]:
    """The tokens of a schema; ends of lines count only outside of brackets, as in Python."""
    found: list[_Token] = []
    place, depth, length = len(text) - len(text.lstrip()), 0, len(text.rstrip())
    while place < length:
        match = _TOKEN.match(text, place)
        if match is None:
            found.append(_Token("bad", text[place], place))
            return found
        kind = match.lastgroup or "mark"
        depth += (match[0] in tuple("([")) - (match[0] in tuple(")]"))
        if kind != "skip" and not (kind == "newline" and depth > 0):
            found.append(_Token(kind, match[0], place))
        place = match.end()
    found.append(_Token("end", "", len(text)))
    return found


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.place = self.depth = 0

    # ------------------------------------------------------------ tokens

    @property
    def token(self) -> _Token:
        return self.tokens[self.place]

    def at(self, mark: str) -> bool:
        return self.token.kind == "mark" and self.token.text == mark

    def next_if(self, mark: str) -> bool:
        if self.at(mark):
            self.place += 1
            return True
        return False

    def expect(self, mark: str) -> None:
        if not self.next_if(mark):
            self.refuse(f"expected `{mark}`")

    def word(self, what: str) -> str:
        token = self.token
        if token.kind != "word":
            self.refuse(f"expected {what}")
        if token.text in KEYWORDS:
            raise SchemaError(f"`{token.text}` cannot be {what}", token.offset)
        self.place += 1
        return token.text

    def refuse(self, expected: str) -> None:
        token = self.token
        shown = {"end": "the end", "newline": "the end of the line"}.get(token.kind, f"`{token.text}`")
        raise SchemaError(f"{expected}, found {shown}", token.offset)

    def several(self, read: Callable[[], None], end: str, between: str = ",") -> None:
        """What stands between brackets, the first of which is read: `end` closes; a comma at the end is refused."""
        if not self.at(end):
            read()
            while self.next_if(between):
                read()
        self.expect(end)

    # ------------------------------------------------------------ the whole

    def schema(self) -> Schema:
        name = self.word("the name of the operator")
        if self.next_if(":"):
            self.expect(":")
            name += "::" + self.word("the name of the operator")
        overload, start = "", self.token.offset
        if self.next_if("."):
            overload = self.word("the name of the overload")
            if overload == "default":
                raise SchemaError("`default` cannot be the name of an overload", start, "overload")
        if self.token.kind == "end":
            raise SchemaError("expected the arguments in parentheses, found only a name", self.token.offset)
        arguments: list[Argument] = []
        self.expect("(")
        keyword_only = more = False

        def read() -> None:
            nonlocal keyword_only, more
            if more:
                raise SchemaError("`...` must be the last of the arguments", self.token.offset)
            if self.next_if("*"):
                keyword_only = True
            elif self.next_if("..."):
                more = True
            else:
                arguments.append(self.argument(keyword_only))

        self.several(read, ")")
        self.expect("->")
        returns, more_returns = self.returns()
        if self.token.kind != "end":
            self.refuse("expected the end of the schema")
        seen = False
        for one in arguments:
            if seen and one.default is None and not one.keyword_only and not one.is_list:
                raise SchemaError(f"`{one.name}` has no default and follows an argument that has one", one.offset)
            seen = seen or one.default is not None
        return Schema(name, overload, tuple(arguments), returns, more, more_returns)

    def returns(self) -> tuple[tuple[Argument, ...], bool]:
        """What it returns, and whether that is not all."""
        found: list[Argument] = []
        more = False

        def read() -> None:
            nonlocal more
            if self.next_if("..."):
                more = True
            else:
                found.append(self.argument(keyword_only=False, returned=True))

        if self.next_if("("):
            self.several(read, ")")
        else:
            read()
        return tuple(found), more

    def argument(self, keyword_only: bool, returned: bool = False) -> Argument:
        offset = self.token.offset
        kind, alias, mutable = self.type()
        sized = False
        if self.next_if("["):
            size = self.token
            if size.kind != "number":
                self.refuse("expected `]` or a number")
            self.place += 1
            self.expect("]")
            kind, sized = f"{kind}[{size.text}]", True
            container, written = self.alias()
            alias, mutable = alias or container, mutable or written
            if self.next_if("?"):
                kind, sized = f"{kind}?", False
        if returned:
            name = ""
            if self.token.kind == "word" and self.token.text not in KEYWORDS:
                name = self.word("a name")
            return Argument(name, kind, alias, mutable, None, False, offset)
        name = self.word("the name of an argument")
        default = self.default(kind, sized) if self.next_if("=") else None
        return Argument(name, kind, alias, mutable, default, keyword_only, offset)

    # ------------------------------------------------------------ types

    def type(self) -> tuple[str, str, bool]:
        """A type, the alias set it says, and whether that is written to."""
        inside: list[str] = []
        alias, mutable = "", False

        def read() -> None:
            self.depth += 1
            inside.append(self.type()[0])
            self.depth -= 1

        token = self.token
        if self.depth > MAX_DEPTH:
            raise SchemaError(f"a type is nested more than {MAX_DEPTH} deep", token.offset)
        if self.next_if("("):
            self.several(read, ")")
            kind = f"({', '.join(inside)})"
        elif token.kind == "word" and token.text in WRAPPERS:
            self.place += 1
            self.expect("(")
            self.several(read, ")")
            kind = f"{token.text}({', '.join(inside)})"
        elif token.kind == "word" and token.text == "__torch__":
            self.place += 1
            kind = token.text
            for part in ("torch", "classes", "", ""):
                self.expect(".")
                place, found = self.token.offset, self.word("the name of a class")
                if part and found != part:
                    raise SchemaError("expected `__torch__.torch.classes.namespace.name`", place)
                kind += f".{found}"
        else:
            kind = self.base_type()
            alias, mutable = self.alias()
        while True:
            if self.at("[") and self.tokens[self.place + 1].text == "]":
                self.place += 2
                kind += "[]"
                container, written = self.alias()
                alias, mutable = alias or container, mutable or written
            elif self.next_if("?"):
                kind = kind if kind.endswith("?") else f"{kind}?"
            else:
                return kind, alias, mutable

    def base_type(self) -> str:
        token = self.token
        if token.kind != "word" or (token.text in KEYWORDS and token.text not in ("None", "NoneType")):
            self.refuse("expected a type")
        if token.text not in BASE_TYPES:
            name = self.dotted()
            meant = "Tensor" if name in ("torch.Tensor", "at.Tensor") else WRITTEN_OTHERWISE.get(name, "")
            raise SchemaError(f"`{name}` is no type of a schema", token.offset, "type", meant)
        self.place += 1
        return token.text

    def dotted(self) -> str:
        """The name that stands here with all its parts, which may be that of a registered opaque type."""
        parts = [self.token.text]
        while self.tokens[self.place + 1].text == "." and self.tokens[self.place + 2].kind == "word":
            self.place += 2
            parts.append(self.token.text)
        return ".".join(parts)

    def alias(self) -> tuple[str, bool]:
        """`(a!)`, `(a -> *)`, `(a|b)` or `!` after a type: the set and whether it is written to."""
        if self.next_if("!"):
            return "", True
        if not self.next_if("("):
            return "", False
        sets, mutable = self.alias_set(), self.next_if("!")
        if self.next_if("->"):
            self.alias_set()
        self.expect(")")
        return sets, mutable

    def alias_set(self) -> str:
        names: list[str] = []
        while not names or self.next_if("|"):
            names.append("*" if self.next_if("*") else self.word("the name of an alias set"))
        return "|".join(names)

    # ------------------------------------------------------------ defaults

    def default(self, kind: str, sized: bool) -> str:
        start, first = self.place, self.token
        element = kind.removesuffix("]").rpartition("[")[0] if kind.endswith("]") else kind
        if kind in ("Tensor", "Generator", "Quantizer"):
            self.constant(kind) if first.text == "None" else self.refuse("expected None as the default of a tensor")
        elif kind == "Device":
            if first.kind != "string":
                self.refuse("expected a text as the default of a device")
            self.place += 1
        elif kind.endswith("]") and not (sized and first.text != "["):
            if element not in ("int", "float", "bool", "complex", "SymInt"):
                raise SchemaError(f"a list of `{element}` can have no default", first.offset, "default")
            self.expect("[")
            self.several(lambda: self.item(element), "]")
        elif sized:
            self.item(element)
        elif kind.endswith("?") or kind in SCALARS:
            self.constant(kind)
        else:
            raise SchemaError(f"`{kind}` can have no default", first.offset, "default")
        return " ".join(token.text for token in self.tokens[start : self.place])

    def item(self, element: str) -> None:
        """One item of a default that is a list."""
        token = self.token
        if element == "bool":
            if token.text not in ("True", "False"):
                self.refuse("expected True or False")
        elif token.kind != "number" and not self.at("-"):
            self.refuse("expected a number")
        elif element in ("int", "SymInt") and not token.text.isalnum() and not self.at("-"):
            self.refuse("expected an integer")
        self.constant(element)

    def constant(self, kind: str) -> None:
        negative = self.next_if("-")
        token = self.token
        if negative and token.kind != "number":
            self.refuse("expected a number")
        if token.kind == "word":
            dtype = kind.startswith("ScalarType") and DTYPE_WORDS.match(token.text)
            if token.text not in ("True", "False", "None") and token.text not in DEFAULT_WORDS and not dtype:
                raise SchemaError(f"`{token.text}` cannot be a default", token.offset, "default")
        elif token.kind not in ("number", "string"):
            self.refuse("expected a default")
        self.place += 1


SCALARS = frozenset({
    "int", "SymInt", "float", "bool", "str", "ScalarType", "Layout", "MemoryFormat", "Scalar", "complex",
    "DeviceIndex", "ConstQuantizerPtr",
})  # fmt: skip
"""Types of which an argument can have a default, besides tensors, lists and what may be None."""
