"""Where the nodes of a libcst tree stand, for a fraction of what its position providers cost.

Writing a tree out again is the only way libcst offers to learn places. `Spans` watches that: it notes how many tokens
had been written when a node began and ended, and turns these counts into byte offsets afterwards. It leans on libcst's
private `CodegenState`; a test compares it with `PositionProvider`.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from libcst import CSTNode, Module
from libcst._nodes.internal import CodegenState

from aoti_lint.lazily.regex import regex


class _Recorder(CodegenState):
    """Notes the token range of every node that says it has a syntactic position.

    Some ranges begin or end with those of another node (`start_node`, `end_node`); the few such nodes that have no
    syntactic position themselves (a closing parenthesis, the star of an import) are the last thing written.

    It is its own context manager, with a stack, so that nothing is allocated per node but the range.
    """

    def __init__(self, module: Module) -> None:
        super().__init__(module.default_indent, module.default_newline)
        self.ranges: dict[int, tuple[int, int]] = {}
        self._open: list[tuple[int, int, int, int]] = []
        # Called for every node and token: built-ins that do no more than is needed, without a Python frame.
        self.add_token = self.tokens.append  # type: ignore[method-assign,assignment]
        self.before_codegen = id  # type: ignore[method-assign,assignment]
        self.after_codegen = id  # type: ignore[method-assign,assignment]

    def record_syntactic_position(  # type: ignore[override]
        self, node: CSTNode, *, start_node: CSTNode | None = None, end_node: CSTNode | None = None
    ) -> _Recorder:
        self._open.append((id(node), len(self.tokens), id(start_node), id(end_node)))
        return self

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exc_info: object) -> None:
        node, start, start_node, end_node = self._open.pop()
        end = len(self.tokens)
        if start_node in self.ranges:
            start = self.ranges[start_node][0]
        if end_node in self.ranges:
            end = self.ranges[end_node][1]
        self.ranges[node] = (start, end)


class Spans:
    """The places of one tree's nodes in the text it was parsed from, as UTF-8 byte offsets.

    Raises `ValueError` if the tree does not stand for the text, so that places can never be silently wrong.
    """

    def __init__(self, module: Module, text: str) -> None:
        recorder = _Recorder(module)
        module._codegen(recorder)
        self._ranges = recorder.ranges
        self._tokens: list[str] = recorder.tokens
        if "".join(self._tokens) == text:
            sizes = map(len, self._tokens) if text.isascii() else (len(token.encode()) for token in self._tokens)
            # Where token n starts is where token n - 1 ends.
            self._starts = self._ends = list(accumulate(sizes, initial=0))
        else:
            self._starts, self._ends = _aligned(self._tokens, text)

    def of(self, node: Any) -> tuple[int, int]:
        """Start and end of `node`, without its own parentheses."""
        start, end = self._ranges[id(node)]
        return self._starts[start], self._ends[end]

    def trimmed(self, node: Any) -> tuple[int, int]:
        """Start and end of `node` without the white space and comments that libcst counts to its end."""
        start, end = self._ranges[id(node)]
        while end > start and _is_space(self._tokens[end - 1]):
            end -= 1
        return self._starts[start], self._ends[end]

    def within(self, node: Any, opening: str, closing: str) -> tuple[int, int]:
        """Start and end of `node` with the pair of brackets directly around it."""
        start, end = self._ranges[id(node)]
        start = self._last_before(start, opening)
        end = self._first_after(end, closing) + 1
        return self._starts[start], self._ends[end]

    def start_before(self, node: Any, token: str) -> int:
        """Where the last `token` before `node` starts; only white space and comments may stand between."""
        return self._starts[self._last_before(self._ranges[id(node)][0], token)]

    def end_of_first(self, node: Any, token: str) -> int:
        """Where the first `token` inside `node` ends."""
        return self._ends[self._first_after(self._ranges[id(node)][0], token) + 1]

    def start_of(self, token: int) -> int:
        """Where a token starts, by its number."""
        return self._starts[token]

    def end_of(self, token: int) -> int:
        """Where the token before this one ends."""
        return self._ends[token]

    def first_token(self, node: Any) -> int:
        """The number of the first token of `node`."""
        return self._ranges[id(node)][0]

    def next_of(self, node: Any, wanted: tuple[str, ...]) -> int:
        """The number of the first of the `wanted` tokens after `node`."""
        index = self._ranges[id(node)][1]
        tokens = self._tokens
        while tokens[index] not in wanted:
            index += 1
        return index

    def written(self, first: int, last: int) -> str:
        """The text of the tokens from `first` up to `last`, without that one."""
        return "".join(self._tokens[first:last])

    def _last_before(self, index: int, token: str) -> int:
        tokens = self._tokens
        index -= 1
        while tokens[index] != token:
            index -= 1
        return index

    def _first_after(self, index: int, token: str) -> int:
        tokens = self._tokens
        while tokens[index] != token:
            index += 1
        return index


def _aligned(tokens: list[str], text: str) -> tuple[list[int], list[int]]:
    """Where each token starts, and where the one before it ends, in a text with white space that the tokens lack.

    libcst drops form feeds at the start of a line with the blanks before them, blanks after a conversion in an
    f-string, a last lone carriage return, a backslash before the first statement of a line, and empty lines and
    comments before a last line that is indented. Raises `ValueError` where the texts differ in anything else.
    """
    starts: list[int] = []
    ends = [0]
    char = byte = 0
    for token in tokens:
        while not text.startswith(token, char):
            dropped = _DROPPED.match(text, char)
            if dropped is None:
                raise ValueError("the tree does not stand for the text")
            char = dropped.end()
            byte += len(dropped[0].encode())
        starts.append(byte)
        char += len(token)
        byte += len(token.encode())
        ends.append(byte)
    while dropped := _DROPPED.match(text, char):
        char = dropped.end()
    if char < len(text):
        raise ValueError("the tree does not stand for the text")
    starts.append(byte)
    return starts, ends


_DROPPED = regex(r"[ \t\f\r\n]|\\\r?\n|\\\r|#[^\r\n]*")


def _is_space(token: str) -> bool:
    return token.startswith("#") or not token.strip(" \t\f\r\n\\")
