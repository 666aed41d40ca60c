"""The text and the names that arguments of a registration stand for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from aoti_lint.lazily.regex import regex
from aoti_lint.native.lexical import Text
from aoti_lint.native.macros import Macros
from aoti_lint.native.syntax import arguments, last, name_of, raw, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_CONSTANT = regex(
    rb"\b(?:char\s*(?:const\s*)?\*\s*(?:const(?:expr)?\s+)?|char\s+|auto&?\s+|string_view\s+|string\s+|path\s+)(\w+)(?:\s*\[\s*\])?\s*[=({]"
)
_SAME_TEXT = frozenset({
    b"TORCH_SELECTIVE_SCHEMA", b"TORCH_SELECTIVE_NAME", b"string", b"string_view", b"schema", b"path", b"move",
    b"absolute",
})  # fmt: skip
_SAME_PATH = frozenset({b"string", b"c_str", b"native", b"u8string", b"generic_string", b"data", b"str"})
"""Methods of a text or a path that give it."""
_ESCAPES = {b"\\n": "\n", b"\\t": "\t", b'\\"': '"', b"\\\\": "\\", b"\\'": "'", b"\\r": "\r", b"\\0": "\0"}
_WORDS = regex(rb'R"(?P<mark>[^()\\s]{0,16})\(.*?(?:\)(?P=mark)"|\Z)|"(?:[^"\\]|\\.)*(?:"|\Z)|\b\w+\b', re.DOTALL)
_BESIDE = regex(rb'(?<=")(\s*)([A-Za-z_]\w*\s*\([^()"]*\))')
"""A macro with arguments that stands behind a literal, and becomes part of it."""
_CALL = regex(rb"\s*([A-Za-z_]\w*)\s*\(([^()\"]*)\)\s*")
_TO_FILL = regex(r"\{\{|\{%|\$\{|\$\(|<%|@[A-Za-z_]\w*@")
"""What a generator puts something else in the place of, of Jinja, CMake, ERB or a shell."""
MAX_TEXT = 100_000
"""Bytes of a literal, and of what macros put into an argument: those that hold each other twice soon have more."""
MAX_EXPANDED = 2_000_000
"""Bytes that macros put into the arguments of one text."""
MAX_NESTED = 100
"""Expressions in each other."""
_KEY = regex(rb"(?:.*::)?(?:DispatchKey|DeviceType)::(\w+)|(?:.*::)?k([A-Z]\w*)")


class Literals:
    """Reads arguments of one text, with its constants and macros."""

    def __init__(self, text: Text, macros: Macros) -> None:
        self._text, self._macros = text, macros
        self._constants: dict[bytes, tuple[str | None, Node] | None] | None = None
        self._depth = self._nested = 0
        self._room = MAX_EXPANDED

    def inlined(self, code: bytes) -> bytes:
        """`code` with the literals that its macros stand for: the grammar does not know `"f(" ARGS ")"`."""

        room = given = min(MAX_TEXT, self._room)

        def literal(found: re.Match[bytes]) -> bytes:
            nonlocal room
            defined = self._macros.find(found[0]) if found[0][:1].isalpha() or found[0][:1] == b"_" else []
            body = defined[0].body.strip() if len(defined) == 1 and defined[0].params is None else b""
            if body[:1] != b'"' or len(body) > room:
                return found[0]
            room -= len(body)
            return body

        def quoted(found: re.Match[bytes]) -> bytes:
            nonlocal room
            made = self._quoted(found[2])
            if made is None or len(made) > room:
                return found[0]
            room -= len(made)
            return found[1] + made

        code = _BESIDE.sub(quoted, code)
        for _ in range(4):
            expanded = _WORDS.sub(literal, code)
            if expanded == code:
                break
            code = expanded
        self._room -= given - room
        return code

    def _quoted(self, code: bytes) -> bytes | None:
        """The literal that a macro with arguments stands for: `STRING(PAGE)`, where `STRING(x)` is `QUOTE(x)`."""
        for _ in range(4):
            call = _CALL.fullmatch(code)
            defined = self._macros.find(call[1]) if call is not None else []
            if call is None or len(defined) != 1 or defined[0].params is None:
                break
            args = [one.strip() for one in call[2].split(b",")]
            # What is quoted is quoted as it stands; other arguments are expanded first.
            code = defined[0].expand(args if b"#" in defined[0].body else [self._plain(one) for one in args]).strip()
        return code if _WORDS.fullmatch(code) and code[-1:] == b'"' else None

    def _plain(self, code: bytes) -> bytes:
        """What a name stands for, if it is a macro without arguments; else the code itself."""
        for _ in range(4):
            defined = self._macros.find(code)
            if len(defined) != 1 or defined[0].params is not None or len(defined[0].body) > MAX_TEXT:
                break
            code = defined[0].body.strip()
        return code

    def string(self, node: Node) -> str | None:
        """The text an expression stands for; None where it is not known."""
        if self._nested > MAX_NESTED:
            return None
        self._nested += 1
        try:
            found = self._string(node)
            return None if found is not None and _TO_FILL.search(found) else found
        finally:
            self._nested -= 1

    def ending(self, node: Node) -> str:
        """What the text, or the path, that an expression stands for surely ends with."""
        if self._nested > MAX_NESTED:
            return ""
        self._nested += 1
        try:
            return self._ending(node)
        finally:
            self._nested -= 1

    def _ending(self, node: Node) -> str:
        whole = self.string(node)
        if whole is not None:
            return whole
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if node.type == "binary_expression" and left is not None and right is not None:
            word, last_part = raw(node.child_by_field_name("operator")), self.string(right)
            if last_part is None or word not in (b"+", b"/"):
                return self.ending(right) if word in (b"+", b"/") else ""
            return (self.ending(left) if word == b"+" else "/") + last_part
        same = self._same(node)
        return self.ending(same) if same is not None else ""

    def _same(self, node: Node) -> Node | None:
        """The expression whose text another one has: an argument, what a method is called on, or a constant."""
        if node.type == "parenthesized_expression" and len(node.named_children) == 1:
            return node.named_children[0]
        if node.type in ("identifier", "qualified_identifier"):
            constant = self._constant(last(raw(node)))
            return None if constant is None else constant[1]
        function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if node.type != "call_expression" or function is None or given is None:
            return None
        args = [one for one in given.named_children if one.type != "comment"]
        if function.type == "field_expression":
            named = last(raw(function.child_by_field_name("field")))
            return function.child_by_field_name("argument") if named in _SAME_PATH and not args else None
        return args[0] if last(name_of(function)) in _SAME_TEXT and args else None

    def _string(self, node: Node) -> str | None:
        beside = node.parent
        if beside is not None and beside.type == "argument_list" and any(one.is_error for one in beside.children):
            # The preprocessor makes something else of it: a part of a text is none.
            return None
        match node.type:
            case "string_literal":
                return "".join(_piece(child) for child in node.named_children)
            case "raw_string_literal":
                return "".join(_decode(raw(one)) for one in node.named_children if one.type == "raw_string_content")
            case "concatenated_string":
                return _all(self.string(child) for child in node.named_children if child.type != "comment")
            case "parenthesized_expression":
                inner = [child for child in node.named_children if child.type != "comment"]
                return self.string(inner[0]) if len(inner) == 1 else None
            case "binary_expression":
                left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
                if left is None or right is None or raw(node.child_by_field_name("operator")) != b"+":
                    return None
                return _all((self.string(left), self.string(right)))
            case "call_expression":
                function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
                args = [one for one in given.named_children if one.type != "comment"] if given is not None else []
                if last(name_of(function)) in _SAME_TEXT and args:
                    return self.string(args[0])
                return self._macro(raw(function), [raw(one) for one in args])
            case "identifier" | "qualified_identifier":
                name = last(raw(node))
                constant = self._constant(name)
                known = None if constant is None else constant[0]
                return known if known is not None else self._macro(name, None)
            case _:
                return None

    def key(self, node: Node) -> str | None:
        """The dispatch key that `torch::kCUDA` or `c10::DispatchKey::Meta` names; None for another expression."""
        if node.type not in ("identifier", "qualified_identifier"):
            return None
        found = _KEY.fullmatch(raw(node))
        return None if found is None else (found[1] or found[2]).decode()

    def _macro(self, name: bytes, args: list[bytes] | None) -> str | None:
        found = self._macros.find(name)
        if len(found) != 1 or (found[0].params is None) != (args is None) or self._depth > 4:
            return None
        if self._room <= 0:
            return None
        code = found[0].expand(args or ())
        self._room -= len(code)
        nodes = arguments(self.inlined(code))
        self._depth += 1
        try:
            return self.string(nodes[0]) if len(nodes) == 1 else None
        finally:
            self._depth -= 1

    def _constant(self, name: bytes) -> tuple[str | None, Node] | None:
        """The text of a constant, where it is known, and what it is set to; None where there is not one of the name."""
        if self._constants is None:
            self._constants = {}
            for found in _CONSTANT.finditer(self._text.masked):
                end = self._text.masked.find(b";", found.end())
                if end < 0:
                    continue
                code = self._text.code[found.end() : end]
                code = code if found[0][-1:] == b"=" and b"{" not in code else code.rstrip(b")} \t\r\n")
                nodes = arguments(code) if b'"' in code else []
                value = (self.string(nodes[0]), nodes[0]) if len(nodes) == 1 else None
                self._constants[found[1]] = None if found[1] in self._constants else value
        return self._constants.get(name)


def names_in(node: Node) -> tuple[str, ...]:
    """The last parts of the names in a list such as `{at::Tag::pt2_compliant_tag}`."""
    found = (last(raw(one)) for one in walk(node) if one.type in ("qualified_identifier", "identifier"))
    return tuple(dict.fromkeys(name.decode("utf-8", "replace") for name in found))


def _piece(node: Node) -> str:
    if node.type == "escape_sequence":
        text = raw(node)
        return "" if text[1:2] in (b"\n", b"\r") else _ESCAPES.get(text, _decode(text))
    # A backslash at the end of a line continues the literal on the next one.
    return _decode(re.sub(rb"\\\r?\n", b"", raw(node)))


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _all(parts: object) -> str | None:
    found = list(parts)  # type: ignore[call-overload]
    return None if None in found or sum(map(len, found)) > MAX_TEXT else "".join(found)
