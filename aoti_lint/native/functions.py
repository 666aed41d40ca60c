"""C++ functions, found by their names in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.lazily.regex import regex
from aoti_lint.native.lexical import Text
from aoti_lint.native.syntax import parse_function, raw, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_BEFORE_BODY = regex(rb"\s*(?:(?:const|noexcept|override|final|mutable)\b\s*)*(?:->\s*(?P<type>[^{};]{0,500}))?(?=\{)")
_BOUNDARY = regex(rb"[;{}]|^[ \t]*#.*$|\)(?=\s*[\w:])", re.MULTILINE)
_TEMPLATE = regex(rb"\btemplate\s*<")
_QUALIFIER = regex(
    rb"\b(?:static|inline|constexpr|virtual|extern|__host__|__device__|__global__|\w*(?:API|EXPORT)\w*"
    rb"|\[\[[^]]*\]\])(?:\s+|$)|\bextern\s*\"C\"\s*"
)
_TENSOR = regex(rb"(?:const\s+)?(?:(?:at|torch|c10|aten|stable)\s*::\s*)*Tensor(?:\s+const)?\s*&{0,2}")
_SCOPES = regex(rb"(?:\w+\s*::\s*)+\Z")
_CALLED = regex(rb"\w+\s*(?:<[^;{}()]{0,500}>\s*)?\(")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: its type as written, with blanks made one, and its name, empty where it has none."""

    type: bytes
    name: str


@dataclass(frozen=True, slots=True)
class Function:
    """A function or lambda: what stands before its body is at `span`, and the body, which is `code`, at `place`."""

    result: bytes
    """The type it returns, as written; `auto` or empty where it is not said."""
    parameters: tuple[Parameter, ...]
    code: bytes
    place: Span
    span: Span

    def body(self) -> Node:
        """The tree of the body. It is made anew for each who asks: trees are not kept."""
        found = next(one for one in walk(parse_function(b"()" + self.code)) if one.type == "function_definition")
        return found.child_by_field_name("body") or found

    def at(self, node: Node) -> Span:
        """Where a node of such a tree stands."""
        shift = self.place.start - len(b"void f()")
        return Span(self.place.path, node.start_byte + shift, node.end_byte + shift)


def definitions(text: Text, path: str, name: bytes) -> Iterator[Function]:
    """The functions called `name`, without its namespaces, that have their bodies in the text."""
    bare = name.rsplit(b"::", 1)[-1]
    for first in text.called(bare):
        opened = _CALLED.match(text.masked, first)
        end = text.closing(opened.end() - 1) if opened is not None else None
        follows = _BEFORE_BODY.match(text.masked, end + 1) if end is not None else None
        if opened is None or end is None or follows is None:
            continue
        start = opened.end() - 1
        close = text.closing(follows.end())
        if close is None:
            continue
        scopes = _SCOPES.search(text.masked, max(0, first - 200), first)
        begin = first if scopes is None else scopes.start()
        result = _without_words(follows["type"] or _type_before(text, begin))
        made = of_code(text.code[start : close + 1], path, start, result, Span(path, begin, end + 1))
        if made is not None:
            yield made


def of_code(code: bytes, path: str, start: int, result: bytes, span: Span) -> Function | None:
    """The function whose parameters and body are `code`, which stands at `start` in its file."""
    root = parse_function(code)
    for node in walk(root):
        if node.type == "function_definition":
            declarator, body = node.child_by_field_name("declarator"), node.child_by_field_name("body")
            if declarator is None or body is None:
                return None
            shift = start - len(b"void f")
            return _function(result, parameters_of(declarator), body, path, shift, span)
    return None


def of_lambda(node: Node, path: str, shift: int) -> Function | None:
    """The function of a lambda expression."""
    declarator, body = node.child_by_field_name("declarator"), node.child_by_field_name("body")
    if body is None:
        return None
    found: tuple[Parameter, ...] = ()
    result = b""
    if declarator is not None:
        found = parameters_of(declarator)
        for child in declarator.named_children:
            if child.type == "trailing_return_type":
                result = raw(child).lstrip(b"->").strip()
    span = Span(path, node.start_byte + shift, body.start_byte + shift)
    return _function(result, found, body, path, shift, span)


def _function(
    result: bytes, parameters: tuple[Parameter, ...], body: Node, path: str, shift: int, span: Span
) -> Function:
    place = Span(path, body.start_byte + shift, body.end_byte + shift)
    return Function(result, parameters, raw(body), place, span)


def parameters_of(declarator: Node) -> tuple[Parameter, ...]:
    """The parameters in the declarator of a function."""
    listed = declarator.child_by_field_name("parameters")
    found = []
    for node in listed.named_children if listed is not None else ():
        if node.type not in ("parameter_declaration", "optional_parameter_declaration"):
            continue
        inner = node.child_by_field_name("declarator")
        name = next((one for one in walk(inner) if one.type == "identifier"), None) if inner is not None else None
        end = node.child_by_field_name("default_value")
        stop = name.start_byte if name is not None else end.start_byte if end is not None else node.end_byte
        written = raw(node)[: stop - node.start_byte].rstrip(b" =\t\r\n")
        found.append(Parameter(b" ".join(written.split()), raw(name).decode("utf-8", "replace")))
    if len(found) == 1 and found[0] == Parameter(b"void", ""):
        return ()
    return tuple(found)


def is_tensor(written: bytes) -> bool:
    """Whether a type as written is a tensor itself, or a reference to one."""
    return _TENSOR.fullmatch(written) is not None


def _type_before(text: Text, start: int) -> bytes:
    """What stands before the name of a function, up to the end of what is before."""
    begin = max(0, start - 600)
    for found in _BOUNDARY.finditer(text.masked, begin, start):
        begin = found.end()
    return text.code[begin:start]


def _without_words(written: bytes) -> bytes:
    """A type without `template <…>`, `static` and the like."""
    found = _TEMPLATE.search(written)
    if found is not None:
        depth = 0
        for index in range(found.end() - 1, len(written)):
            depth += {0x3C: 1, 0x3E: -1}.get(written[index], 0)
            if depth == 0:
                written = written[index + 1 :]
                break
    return b" ".join(_QUALIFIER.sub(b"", written).split())
