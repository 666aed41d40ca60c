"""What stands in a block of registrations: `m.def(…)`, `m.impl(…)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.regex import regex
from aoti_lint.native.blocks import MAX_EXPANSIONS, Block, key_name
from aoti_lint.native.functions import Function, of_lambda
from aoti_lint.native.lexical import Text
from aoti_lint.native.literals import Literals, names_in
from aoti_lint.native.macros import Macros
from aoti_lint.native.model import ANY_KEY, UNKNOWN, Definition, Implementation, Kernel, Registration
from aoti_lint.native.schemas import schema_of
from aoti_lint.native.syntax import arguments, last, name_of, raw

if TYPE_CHECKING:
    from tree_sitter import Node

_METHOD = rb"\s*\.\s*(def|impl|op|set_python_module|impl_abstract_pystub)\s*\("
_CHAINED = regex(_METHOD)
_LOUD = regex(rb"\b[A-Z][A-Z0-9_]{3,}\s*\(")
_HARMLESS = regex(rb"\b(?:TORCH_|C10_|STD_)?(?:CHECK|WARN|INTERNAL_ASSERT)\w*\s*\(")
_WRAPPERS = frozenset({b"TORCH_FN", b"TORCH_BOX", b"TORCH_FN_TYPE", b"CppFunction", b"static_cast", b"decay", b"move"})
MAX_DEPTH = 4
"""Macros and functions followed into each other."""


class Reader:
    """Reads the blocks of one file. `find` looks for a function by its name, in this file first."""

    def __init__(self, path: str, macros: Macros, find: Callable[[bytes], Function | None]) -> None:
        self._path, self._macros, self._find = path, macros, find
        self._expansions = 0

    def read(self, block: Block, depth: int = 0) -> Iterator[Registration]:
        """What the block registers, in the order of the text."""
        text, variable = block.text, re.escape(block.variable)
        literals = Literals(text, self._macros)
        own = re.compile(rb"\b" + variable + _METHOD)
        given = re.compile(rb"(?<![.\w>])(?<!\w:)(?<!\w::)([A-Za-z_][\w:]*)\s*\(\s*" + variable + rb"\s*[,)]")
        known: list[tuple[int, int]] = []
        found: list[tuple[int, list[Registration]]] = []
        module: str | None = None
        for match, start, end in text.calls(own, block.start, block.end):
            first, method = match.start(), match[1]
            while True:
                known.append((first, end + 1))
                place = block.place or Span(self._path, first, end + 1)
                text.charge((end - start) // 10)
                code = literals.inlined(text.code[start + 1 : end])
                # Of what follows the literals; nobody asks for the places of these.
                shift = end - len(code) - len(b"f(")
                args = arguments(code)
                if method in (b"def", b"impl", b"op"):
                    read = self._implementations if method == b"impl" else self._definitions
                    made = read(block, literals, args, shift, place, module)
                    found.append((first, [_as_built(block, first, one) for one in made]))
                elif args:
                    module = literals.string(args[0]) or UNKNOWN
                chained = _CHAINED.match(text.masked, end + 1, block.end)
                close = text.closing(chained.end() - 1, block.end) if chained is not None else None
                if chained is None or close is None:
                    break
                method, first, start, end = chained[1], chained.start(), chained.end() - 1, close
        rest = bytearray(text.masked[block.start : block.end])
        for first, end in known:
            rest[first - block.start : end - block.start] = b" " * (end - first)
        left = Text(bytes(rest))
        found += self._handed_on(block, left, re.compile(given.pattern), depth)
        found += self._expanded(block, left, depth)
        for _, registrations in sorted(found, key=lambda one: one[0]):
            yield from registrations

    def _handed_on(
        self, block: Block, left: Text, given: re.Pattern[bytes], depth: int
    ) -> Iterator[tuple[int, list[Registration]]]:
        """Functions of the file that are handed the library."""
        for match in given.finditer(left.masked):
            if self._macros.find(match[1]) or _LOUD.match(match[0]):
                # A macro, which is expanded below.
                continue
            place = block.start + match.start()
            self._expansions += 1
            function = self._find(match[1]) if depth < MAX_DEPTH and self._expansions <= MAX_EXPANSIONS else None
            inner = next((p for p in function.parameters if b"Library" in p.type), None) if function else None
            if function is None or inner is None or function.place.path != self._path or block.place is not None:
                yield place, list(self.anything(block, Span(self._path, place, place + 1)))
                continue
            start, end = function.place.start, function.place.end
            nested = replace(block, start=start, end=end, variable=inner.name.encode())
            yield place, list(self.read(nested, depth + 1))

    def _expanded(self, block: Block, left: Text, depth: int) -> Iterator[tuple[int, list[Registration]]]:
        """Macros of the project, which may register something, and macros we do not know, which may, too."""
        for match, start, end in left.calls(re.compile(rb"(?<![.\w>:])([A-Za-z_]\w*)\s*\(")):
            name, first = match[1], block.start + match.start()
            stop = block.start + end + 1
            place = block.place or Span(self._path, first, stop)
            defined = self._macros.find(name)
            if not defined:
                if _LOUD.match(match[0]) and not _HARMLESS.match(match[0]):
                    yield first, list(self.anything(block, place))
                continue
            args = block.text.split(block.start + start + 1, block.start + end)
            for define in defined:
                self._expansions += 1
                if self._expansions > MAX_EXPANSIONS or depth >= MAX_DEPTH:
                    yield first, list(self.anything(block, place))
                    return
                made = Text(define.expand(args))
                nested = replace(block, text=made, start=0, end=len(made.data), place=place)
                yield first, list(self.read(nested, depth + 1))

    def anything(self, block: Block, place: Span | None = None) -> Iterator[Registration]:
        """What code that we cannot read may register."""
        place = place or block.place or Span(self._path, block.start, block.start + 1)
        op = f"{block.namespace}::{UNKNOWN}"
        yield Implementation(op=op, key=block.key if block.is_impl else UNKNOWN, kernel=None, span=place)
        if not block.is_impl:
            yield Definition(op=op, schema=None, tags=(), module=None, span=place)

    # ------------------------------------------------------------ def and impl

    def _definitions(
        self, block: Block, literals: Literals, args: list[Node], shift: int, place: Span, module: str | None
    ) -> Iterator[Registration]:
        if not args:
            return
        kernel: Node | None = None
        tags: tuple[str, ...] = ()
        for node in args[1:]:
            if node.type == "initializer_list" or b"Tag" in raw(node).split(b"(")[0]:
                tags += tuple(name for name in names_in(node) if name not in ("Tag", "vector"))
            elif kernel is None:
                kernel = node
        first = args[0]
        listed = first.named_children if first.type == "initializer_list" else [first]
        for node in listed:
            text = literals.string(node)
            key, made = self._kernel(literals, kernel, shift, ANY_KEY) if kernel is not None else (ANY_KEY, None)
            schema = text if text is not None and "(" in text else None
            op = qualified(block.namespace, text)
            if text is not None and schema is None and made is not None and made.function is not None:
                schema = schema_of(op.removeprefix(f"{block.namespace}::"), made.function)
            yield Definition(op=op, schema=schema, tags=tags, module=module, span=place)
            if kernel is not None:
                yield Implementation(op=op, key=key, kernel=made, span=place)

    def _implementations(
        self, block: Block, literals: Literals, args: list[Node], shift: int, place: Span, module: str | None
    ) -> Iterator[Registration]:
        if not args:
            return
        op = qualified(block.namespace, literals.string(args[0]))
        key = block.key
        if len(args) > 2:
            key = self._key(literals, args[1])
        key, kernel = self._kernel(literals, args[-1], shift, key) if len(args) > 1 else (key, None)
        yield Implementation(op=op, key=key, kernel=kernel, span=place)

    def _key(self, literals: Literals, node: Node) -> str:
        found = literals.key(node)
        return UNKNOWN if found is None else key_name(self._macros, found.encode())

    def _kernel(self, literals: Literals, node: Node, shift: int, key: str) -> tuple[str, Kernel | None]:
        """The kernel an argument is, and the dispatch key, which `torch::dispatch(key, kernel)` may say."""
        for _ in range(6):
            match node.type:
                case "pointer_expression" | "parenthesized_expression":
                    inner = [child for child in node.named_children if child.type != "comment"]
                case "call_expression":
                    called = last(name_of(node.child_by_field_name("function")))
                    listed = node.child_by_field_name("arguments")
                    inner = [one for one in listed.named_children if one.type != "comment"] if listed else []
                    if called == b"dispatch" and len(inner) == 2:
                        key, inner = self._key(literals, inner[0]), inner[1:]
                    elif called not in _WRAPPERS:
                        return key, None
                case "lambda_expression":
                    return key, Kernel("", of_lambda(node, self._path, shift))
                case "identifier" | "qualified_identifier" | "template_function":
                    traced = key in (ANY_KEY, UNKNOWN, "Meta") or key.startswith("Composite")
                    function = self._find(name_of(node)) if traced else None
                    return key, Kernel(raw(node).decode("utf-8", "replace"), function)
                case _:
                    return key, None
            if len(inner) != 1:
                return key, None
            node = inner[0]
        return key, None


def _as_built(block: Block, index: int, made: Registration) -> Registration:
    """What is registered at `index`, with whether all builds have it."""
    return replace(made, conditional=block.conditional(index)) if isinstance(made, Definition) else made


def qualified(namespace: str, text: str | None) -> str:
    """`ns::name` or `ns::name.overload` of a schema or name."""
    name = UNKNOWN if text is None else text.split("(", 1)[0].strip()
    if "::" in name:
        return name
    return f"{namespace}::{name or UNKNOWN}"
