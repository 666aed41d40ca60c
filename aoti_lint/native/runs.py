"""What C++ gives to the models that it loads, and which of their outputs it takes, where the text says so.

Of what is given: dtypes, devices and sizes of tensors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.lazily.regex import regex
from aoti_lint.native.hosts import Load
from aoti_lint.native.lexical import SpentMarks, Text
from aoti_lint.native.syntax import arguments, last, name_of, raw, walk

if TYPE_CHECKING:
    from tree_sitter import Node

_DTYPES = {
    "float16": ("kHalf", "kFloat16"), "bfloat16": ("kBFloat16",), "float32": ("kFloat", "kFloat32"),
    "float64": ("kDouble", "kFloat64"), "int8": ("kChar", "kInt8"), "int16": ("kShort", "kInt16"),
    "int32": ("kInt", "kInt32"), "int64": ("kLong", "kInt64"), "uint8": ("kByte", "kUInt8"), "bool": ("kBool",),
}  # fmt: skip
_DTYPE_OF = {word.encode(): name for name, words in _DTYPES.items() for word in words}
_DEVICE_OF = {b"kCPU": "cpu", b"CPU": "cpu", b"kCUDA": "cuda", b"CUDA": "cuda", b"kXPU": "xpu", b"kMPS": "mps"}
_MADE = {b"randn": "float32", b"rand": "float32", b"ones": "float32", b"zeros": "float32", b"empty": "float32",
         b"randint": "int64", b"from_blob": "float32", b"full": ""}  # fmt: skip
"""What makes a tensor, with the dtype that it has by default; empty where that hangs on what it is given."""
_SIZES = {b"full": 2, b"from_blob": 2}
"""How many arguments stand before the options; one where nothing is said, and up to three numbers of `randint`."""
_PLAIN = frozenset({b"torch", b"at", b"c10", b"dtype", b"device", b"TensorOptions", b"Device", b"DeviceType",
                    b"ScalarType", b"requires_grad", b"pinned_memory", b"false", b"true"})  # fmt: skip
_KEEPING = frozenset({b"contiguous", b"clone", b"detach", b"pin_memory"})
_RESHAPING = frozenset({b"unsqueeze", b"squeeze", b"reshape", b"view", b"permute", b"transpose", b"flatten", b"expand",
                        b"repeat"})  # fmt: skip
"""Methods that give a tensor of other sizes, of the same dtype and on the same device."""
_SAME_DEVICE = {b"half": "float16", b"bfloat16": "bfloat16"}
_RUN = rb"(?<![\w.>])%s\s*(?:\.|->)\s*(?:boxed_)?run\s*\("
_SET = rb"(?<![\w.>])%s\s*=(?!=)"
_CHANGED = rb"(?<![\w.>])(?:%s\s*=(?!=)|%s\s*\.\s*(?:assign|emplace|insert|push_back|resize|swap)\w*\s*\()"
"""Where a list is set, or gets more."""
_HELD = regex(rb"(?:\bauto|\bvector\s*<[^<>;]*>)\s*(?:const\b)?\s*&{0,2}\s*(\w+)\s*=\s*\Z")
"""What holds the outputs of a run, before the place where that stands."""
_ITEM = rb"\s*(?:\[\s*([0-9]{1,9})\s*\]|\.\s*at\s*\(\s*([0-9]{1,9})\s*\))"
_CONSTANT = rb"\b(?:const(?:expr)?\s+[\w:]+|#define)\s+%s\b\s*(?:[={]\s*)?([0-9]{1,18})\s*\}?\s*[;\n]"
MAX_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Given:
    """One tensor that a model is given: dtype, type of device and sizes, each None where it is not known."""

    dtype: str | None = None
    device: str | None = None
    sizes: tuple[int | None, ...] | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """A loaded model is run at `span` with these tensors."""

    load: Load
    span: Span
    given: tuple[Given, ...]


@dataclass(frozen=True, slots=True)
class Taken:
    """The output at the place `index` of a run of a loaded model is taken at `span`."""

    load: Load
    span: Span
    index: int


def runs(data: bytes, path: str, loaded: list[Load]) -> Iterator[Run | Taken]:
    """Where C++ text runs the models that it loads into variables of their own.

    Gives with which tensors it does, and which outputs it takes of that.
    """
    text = Text(data)
    by_name: dict[str, list[Load]] = {}
    for one in loaded:
        by_name.setdefault(one.name, []).append(one)
    try:
        for name, loads in by_name.items():
            if not name or len(loads) > 1 or not loads[0].file:
                continue
            for found, start, end in text.calls(re.compile(_RUN % re.escape(name.encode()))):
                args = arguments(text.code[start + 1 : end])
                given = _Reader(text).listed(args[0]) if args else None
                if given:
                    yield Run(loads[0], Span(path, found.start(), end + 1), tuple(given))
                for item in _items(text, found.start(), end + 1):
                    yield Taken(loads[0], Span(path, item.start(), item.end()), int(item[1] or item[2]))
    except (SpentMarks, RecursionError):
        return


def _items(text: Text, start: int, end: int) -> Iterator[re.Match[bytes]]:
    """What is taken of the outputs of the run between these places: there, or of the one variable that holds them."""
    there = re.compile(_ITEM).match(text.masked, end)
    if there is not None:
        yield there
    held = _HELD.search(text.masked[max(0, start - 200) : start])
    if held is None:
        return
    name = re.escape(held[1])
    declared = len(re.findall(rb"[\w>&]\s*(?<!\w)%s\s*[=;,(){]" % name, text.masked))
    if declared == 1 and len(re.findall(_CHANGED % (name, name), text.masked)) == 1:
        yield from re.finditer(rb"(?<![\w.>])%s%s" % (name, _ITEM), text.masked)


def _is_part(node: Node) -> bool:
    """Whether a name is part of a longer one, or of a call: not a variable."""
    return node.parent is not None and node.parent.type in ("qualified_identifier", "call_expression")


class _Reader:
    """Reads expressions of one text."""

    def __init__(self, text: Text) -> None:
        self._text, self._depth = text, 0

    def listed(self, node: Node) -> list[Given] | None:
        """The tensors in a list that is written out, or in a variable that is filled and run, and nothing else."""
        if node.type == "initializer_list":
            return [self.tensor(one) for one in node.named_children if one.type != "comment"]
        if node.type == "call_expression" and last(name_of(node.child_by_field_name("function"))) == b"move":
            inner = node.child_by_field_name("arguments")
            return self.listed(inner.named_children[0]) if inner is not None and inner.named_children else None
        if node.type != "identifier":
            return None
        name = re.escape(raw(node))
        declared = list(re.finditer(rb"\bvector\s*<[^<>;]*>\s*%s\s*(=\s*\{|\{|;)" % name, self._text.masked))
        added = list(self._text.calls(re.compile(rb"(?<![\w.>])%s\s*\.\s*(?:push_back|emplace_back)\s*\(" % name)))
        known = len(declared) + len(added)
        known += len(re.findall(rb"(?:\brun\s*\(|\bmove\s*\()\s*%s\s*\)|(?<![\w.>])%s\s*\.\s*reserve\b" % (name, name),
                                self._text.masked))  # fmt: skip
        if len(declared) != 1 or known != len(re.findall(rb"\b%s\b" % name, self._text.masked)):
            return None
        found: list[Given] = []
        if declared[0][1] != b";":
            start = declared[0].end() - 1
            end = self._text.closing(start)
            first = arguments(self._text.code[start : end + 1]) if end is not None else []
            found += (self.listed(first[0]) or []) if first and first[0].type == "initializer_list" else []
        for _, start, end in added:
            args = arguments(self._text.code[start + 1 : end])
            found += [self.tensor(args[0]) if args else Given()]
        return found

    def tensor(self, node: Node) -> Given:
        """What is known of the tensor that an expression gives."""
        self._depth += 1
        try:
            return self._tensor(node) if self._depth < MAX_DEPTH else Given()
        finally:
            self._depth -= 1

    def _tensor(self, node: Node) -> Given:
        if node.type == "identifier":
            one = self._set_once(raw(node))
            return Given() if one is None else self.tensor(one)
        function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if node.type != "call_expression" or function is None or given is None:
            return Given()
        args = [one for one in given.named_children if one.type != "comment"]
        if function.type == "field_expression":
            of = function.child_by_field_name("argument")
            return Given() if of is None else self._method(of, raw(function.child_by_field_name("field")), args)
        name = last(name_of(function))
        if name not in _MADE:
            return Given()
        skipped = _SIZES.get(name, 1)
        while (
            name == b"randint" and skipped < len(args) and args[skipped].type in ("number_literal", "initializer_list")
        ):
            skipped += 1
        options = self._options(args[skipped:])
        if options is None:
            return Given()
        listed = next((one for one in args[:skipped] if one.type == "initializer_list"), None)
        sizes = None if listed is None else tuple(map(self._number, listed.named_children))
        return Given(options.dtype or _MADE[name] or None, options.device or "cpu", sizes)

    def _method(self, of: Node, name: bytes, args: list[Node]) -> Given:
        before = self.tensor(of)
        if name in _KEEPING:
            return before
        if name in _RESHAPING:
            return Given(before.dtype, before.device)
        if name in (b"cuda", b"cpu"):
            return Given(before.dtype, name.decode(), before.sizes)
        if name in _SAME_DEVICE:
            return Given(_SAME_DEVICE[name], before.device, before.sizes)
        options = self._options(args) if name in (b"to", b"toType") else None
        if options is None:
            return Given()
        return Given(options.dtype or before.dtype, options.device or before.device, before.sizes)

    def _number(self, node: Node) -> int | None:
        """A size that is written out, or in a constant of the text."""
        word = raw(node)
        if node.type == "identifier":
            found = re.findall(_CONSTANT % re.escape(word), self._text.masked)
            word = found[0] if len(found) == 1 else b""
        return int(word) if re.fullmatch(rb"[0-9]{1,18}", word) else None

    def _options(self, args: list[Node]) -> Given | None:
        """What options of a tensor say; None where they may say more."""
        self._depth += 1
        try:
            return self._said(args) if self._depth < MAX_DEPTH else None
        finally:
            self._depth -= 1

    def _said(self, args: list[Node]) -> Given | None:
        dtypes: set[str] = set()
        devices: set[str] = set()
        for one in (inner for arg in args for inner in walk(arg)):
            if one.type not in ("identifier", "field_identifier", "namespace_identifier", "string_literal"):
                continue
            word = raw(one)
            if one.type == "string_literal":
                devices.add(word.strip(b'"').partition(b":")[0].decode("utf-8", "replace"))
            elif word in _DTYPE_OF:
                dtypes.add(_DTYPE_OF[word])
            elif word in _DEVICE_OF:
                devices.add(_DEVICE_OF[word])
            elif word not in _PLAIN or (one.type == "identifier" and not _is_part(one)):
                value = self._set_once(word) if one.type == "identifier" else None
                inner = self._options([value]) if value is not None else None
                if inner is None:
                    return None
                dtypes |= {inner.dtype} if inner.dtype else set()
                devices |= {inner.device} if inner.device else set()
        if len(dtypes) > 1 or len(devices) > 1:
            return None
        return Given(next(iter(dtypes), None), next(iter(devices), None))

    def _set_once(self, name: bytes) -> Node | None:
        """What a variable is set to, where the text declares one of the name and sets it there alone."""
        escaped = re.escape(name)
        declared = list(
            re.finditer(rb"\b(?:auto|Tensor|TensorOptions|Device)\s*&?\s+%s\s*=(?!=)" % escaped, self._text.masked)
        )
        if len(declared) != 1 or len(re.findall(_SET % escaped, self._text.masked)) != 1:
            return None
        if re.search(rb"[\w>&*]\s*(?<!\w)%s\s*[,)]" % escaped, self._text.masked):
            return None
        end = self._text.masked.find(b";", declared[0].end())
        nodes = arguments(self._text.code[declared[0].end() : end]) if end >= 0 else []
        return nodes[0] if len(nodes) == 1 else None
